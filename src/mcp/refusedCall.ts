import type { CallToolResult } from '@modelcontextprotocol/server'
import type { DocUrls } from '../contract/docUrl.ts'
import { presentRefusal } from '../contract/refusals/refusalBody.ts'
import type { Refusal, RefusalCode } from '../contract/refusals/refusals.ts'

/** `unsure`: the hint when the outcome is unknown; then the call is not retryable. `startedNothing`: a failure before anything started. */
type Outcome = { unsure?: string | undefined; startedNothing?: boolean }

/** A refused call as a tool error with a hint for the model. */
export function refusedResult(refusal: Refusal, docUrls: DocUrls, { unsure, startedNothing = false }: Outcome = {}): CallToolResult {
  const { error: presented } = presentRefusal(refusal, docUrls)
  const error = unsure === undefined ? presented : { ...presented, retryable: false }
  const hint = unsure ?? `${startedNothing ? 'Nothing was started. ' : ''}${hintFor(refusal)}`
  const details = error.details === undefined ? '' : `\nDetails: ${JSON.stringify(error.details)}`
  return {
    isError: true,
    content: [{ type: 'text', text: `${error.code}: ${error.message} ${hint}${details}` }],
    structuredContent: { error: { ...error, hint } },
  }
}

const unasked =
  'Nothing was started, and this client does not support confirmations. Choose a cheaper request, or tell the person to raise "Ask above" of the key.'

const notAnIdentifier =
  'Inputs are identifiers, not links or paths. Call upload_file with the url, or without arguments for an address that takes a local file, and use its fileId.'

/** Whether the first unknown input is a link, inline data or a path. */
function isAddress(ids: unknown): boolean {
  const [first] = Array.isArray(ids) ? ids : []
  return typeof first === 'string' && /^[a-z]{1,8}:|[/\\.]/i.test(first)
}

const hints: Partial<Record<RefusalCode, string>> = {
  access_denied: 'Tell the person; a repeat of the call does not help.',
  account_blocked: 'Tell the person; a repeat of the call does not help.',
  cancel_conflict: 'Read it with get_generation, then cancel again if it is still open.',
  cost_above_limit: 'Nothing was started. Choose a cheaper variant or smaller parameters and estimate again, or ask the person.',
  credit_reservation_failed: 'Nothing was started. Repeat the call.',
  family_not_found: 'Find the identifier with search_families.',
  family_unavailable: 'Try again later, or choose another family with search_families.',
  file_fetch_failed:
    'Check that the link is public and returns the file, or call upload_file without arguments and send the content to its uploadUrl.',
  file_metadata_missing: 'The service is still measuring the file. Repeat the call in a few seconds.',
  file_not_found: 'Upload the file with upload_file, or use the generationId of a ready generation.',
  file_not_ready: 'The input is still being processed. Repeat the call in a few seconds.',
  generation_not_found: 'Find the generation with list_generations.',
  idempotency_conflict: 'Nothing was started. Repeat the call with the estimated request, or estimate this request.',
  idempotency_in_progress: 'The same start is in progress. Repeat the call in a second to get its generation.',
  insufficient_credits: 'Nothing was started. Tell the person that the credits are not enough; see get_account.',
  invalid_cursor: 'Use nextCursor of the previous page with the same filter, or remove cursor.',
  invalid_parameters: 'Compare the request with the parameters of get_family, correct the issues in details, and call again.',
  invalid_request: 'Correct the issues in details, and call again.',
  not_cancellable: 'Only the editor, which started it, can cancel it.',
  payload_too_large: 'Send a smaller file.',
  price_unavailable: 'Set the missing parameters in details.',
  rate_limited: 'Wait for the seconds in details, then repeat the call.',
  spend_limit_exceeded: 'Nothing was started. The price exceeds a ceiling of the key. Choose a cheaper request, or tell the person.',
  subscription_required: 'This requires an active subscription. Tell the person, or choose another family.',
  too_many_concurrent: 'Wait until other calls have ended, then repeat this one.',
  too_many_open: 'Nothing was started. Wait until some of the open generations of this family have ended, then repeat the call.',
  unsupported_file_format: 'Send a file in a format from details.',
  variant_not_resolved: 'Choose a variant from available in details, or compare the request with get_family.',
}

/** The hint for a model after a refusal. */
function hintFor({ code, retryable, details }: Refusal): string {
  if (details?.['confirmAboveCredits'] !== undefined) return unasked
  if (code === 'file_not_found' && isAddress(details?.['ids'])) return notAnIdentifier
  return hints[code] ?? (retryable ? 'Repeat the call in a few seconds.' : 'A repeat of the call does not help.')
}
