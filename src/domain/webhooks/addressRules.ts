import type { AddressRules, Resolve } from '../../network/judgeUrl.ts'
import type { Context } from '../context.ts'

/** Where webhooks may go, at the save and at every attempt. Contract: section 5, Addresses. */
export function addressRules({ settings }: Context, resolve: Resolve): AddressRules {
  const { allowedPrivateAddresses: allowedPrivate, ownAddresses: own } = settings
  return { allowedPrivate, own, schemes: 'https', ports: 'any', resolve }
}
