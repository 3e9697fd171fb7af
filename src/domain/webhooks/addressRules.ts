import { invalidRequest } from '../../contract/refusals/refusals.ts'
import { type AddressRules, checkUrl, type Resolve } from '../../network/checkUrl.ts'
import { FetchFailure } from '../../network/fetchFailure.ts'
import type { Context } from '../context.ts'
import { resolveForCaller } from '../resolveForCaller.ts'

/** Addresses that webhooks may be sent to, checked on save and at every attempt. Contract: docs/contract.md#webhook-addresses. */
export function addressRules({ settings }: Context, resolve: Resolve): AddressRules {
  const { allowedPrivateAddresses: allowedPrivate, ownAddresses: own } = settings
  return { allowedPrivate, own, schemes: 'https', ports: 'any', resolve }
}

const lookUpSeconds = 5

/**
 * Checks the address of a receiver: https, and resolves only to public addresses now. Every attempt checks it again.
 * Refusals: invalid_request at `path`. Contract: docs/contract.md#webhook-addresses.
 */
export async function checkAddress(context: Context, address: string, path: string[]): Promise<URL> {
  try {
    const { url } = await checkUrl(address, { ...addressRules(context, resolveForCaller(context)), deadlineSeconds: lookUpSeconds })
    return url
  } catch (error) {
    if (!(error instanceof FetchFailure)) throw error
    const code = error.problem === 'syntax' ? 'bad_format' : 'not_allowed'
    throw invalidRequest({ in: 'body', path, code, message: `Webhooks cannot be sent to this address: ${error.message}.` })
  }
}
