import type { CallToolResult } from '@modelcontextprotocol/server'
import { z } from 'zod'
import type { DocUrls } from '../contract/docUrl.ts'
import { presentRefusal } from '../contract/refusals/refusalBody.ts'
import type { Refusal, RefusalCode } from '../contract/refusals/refusals.ts'

/** Why a call was refused, as structured content: the refusal of REST, and what to do next. In few words, since every tool repeats it. */
export const refusedCall = z.object({
  error: z
    .object({
      code: z.string(),
      message: z.string(),
      retryable: z.boolean().meta({ description: 'Whether to repeat the very same call.' }),
      hint: z.string().meta({ description: 'What to do next.' }),
      details: z.looseObject({}).optional(),
      docUrl: z.string(),
    })
    .meta({ description: 'Why the call was refused; nothing else stands there then.' }),
})

/** A call that was refused, as a tool's error: the model that made it reads what to do instead. One that is `unsure` is not repeated. */
export function refusedResult(refusal: Refusal, docUrls: DocUrls, unsure?: string): CallToolResult {
  const { error: presented } = presentRefusal(refusal, docUrls)
  const error = unsure === undefined ? presented : { ...presented, retryable: false }
  const hint = unsure ?? hintFor(refusal)
  const details = error.details === undefined ? '' : `\nDetails: ${JSON.stringify(error.details)}`
  return {
    isError: true,
    content: [{ type: 'text', text: `${error.code}: ${error.message} ${hint}${details}` }],
    structuredContent: { error: { ...error, hint } },
  }
}

const unasked =
  'Nothing was started, and this client cannot ask. Choose something cheaper, or tell the person that they can raise "Ask above" of the key.'

const hints: Partial<Record<RefusalCode, string>> = {
  access_denied: 'Tell the person you work for; repeating the call does not help.',
  account_blocked: 'Tell the person you work for; repeating the call does not help.',
  cancel_conflict: 'Look at it with get_generation, then cancel again if it still runs.',
  cost_above_limit: 'Nothing was started. Choose a cheaper variant or smaller parameters and estimate again, or ask the person.',
  credit_reservation_failed: 'Nothing was started. Repeat the call.',
  family_not_found: 'Find the right identifier with search_families.',
  family_unavailable: 'Try again later, or choose another family with search_families.',
  file_fetch_failed: 'Check that the address is public and leads straight to the file, or send the content as base64.',
  file_metadata_missing: 'The file is still being measured: repeat the call in a few seconds.',
  file_not_found: 'Upload the file with upload_file, or name a ready generation by its generationId.',
  file_not_ready: 'The input is still being processed: repeat the call in a few seconds.',
  generation_not_found: 'Find it with list_generations.',
  idempotency_conflict: 'Nothing was started. Repeat the call with the very request that was estimated, or estimate this one.',
  idempotency_in_progress: 'The same start is under way: repeat the call in a second and you are given its generation.',
  insufficient_credits: 'Nothing was started. Tell the person that their credits do not suffice; see get_account.',
  invalid_cursor: 'Take nextCursor of the page before, with the same filter, or leave cursor out.',
  invalid_parameters: 'Compare with the parameters of get_family, correct what details name, and call again.',
  invalid_request: 'Correct what details name and call again.',
  not_cancellable: 'It can be cancelled only where it was started.',
  payload_too_large: 'Send a smaller file.',
  price_unavailable: 'Give the parameters that details name as missing.',
  rate_limited: 'Wait as long as details say, then repeat the call.',
  spend_limit_exceeded: 'Nothing was started. A ceiling of the key stands in the way; choose something cheaper or tell the person.',
  subscription_required: 'This needs an active subscription; tell the person, or choose another family.',
  too_many_concurrent: 'Let other calls end first, then repeat this one.',
  too_many_open: 'Nothing was started. Wait until some of the open generations of this family have ended, then repeat the call.',
  unsupported_file_format: 'Send a file of one of the formats that details allow.',
  variant_not_resolved: 'Choose from the variants that details list as available, or compare with get_family.',
}

/** What a model does best after a refusal. */
function hintFor({ code, retryable, details }: Refusal): string {
  if (details?.['confirmAboveCredits'] !== undefined) return unasked
  return hints[code] ?? (retryable ? 'Repeat the call in a few seconds.' : 'Repeating the call does not help.')
}
