import { invalidRequest } from '../../../contract/refusals/refusals.ts'
import { checkUrl } from '../../../network/checkUrl.ts'
import { FetchFailure } from '../../../network/fetchFailure.ts'
import type { Context } from '../../context.ts'
import { resolveForCaller } from '../../resolveForCaller.ts'
import { addressRules } from '../addressRules.ts'

const lookUpSeconds = 5

/**
 * Checks the address of a receiver: https, and resolves only to public addresses now. Every attempt checks it again.
 * Refusals: invalid_request at `address`. Contract: docs/contract.md#webhook-addresses.
 */
export async function checkAddress(context: Context, address: string): Promise<void> {
  const refusal = (code: 'bad_format' | 'not_allowed', message: string) => invalidRequest({ in: 'body', path: ['address'], code, message })
  try {
    await checkUrl(address, { ...addressRules(context, resolveForCaller(context)), deadlineSeconds: lookUpSeconds })
  } catch (error) {
    if (!(error instanceof FetchFailure)) throw error
    const code = error.problem === 'syntax' ? 'bad_format' : 'not_allowed'
    throw refusal(code, `Webhooks cannot be sent to this address: ${error.message}.`)
  }
}
