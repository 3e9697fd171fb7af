import type { AddressRules, Resolve } from '../../network/checkUrl.ts'
import type { Context } from '../context.ts'

/** Addresses that webhooks may be sent to, checked on save and at every attempt. Contract: docs/contract.md#webhook-addresses. */
export function addressRules({ settings }: Context, resolve: Resolve): AddressRules {
  const { allowedPrivateAddresses: allowedPrivate, ownAddresses: own } = settings
  return { allowedPrivate, own, schemes: 'https', ports: 'any', resolve }
}
