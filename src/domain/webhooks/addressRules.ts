import type { AddressRules } from '../../network/judgeUrl.ts'
import type { Context } from '../context.ts'

/** Where webhooks may go, at the save and at every attempt. Contract: section 5, Addresses. */
export function addressRules({ settings }: Context): AddressRules {
  return { allowedPrivate: settings.allowedPrivateAddresses, own: settings.ownAddresses, schemes: 'https', ports: 'any' }
}
