import type { Failure } from '../../../contract/failures/failures.ts'
import type { Json } from '../../../contract/json.ts'
import { type FieldMap, inputPaths } from '../../connector/fieldMap.ts'
import { getNumberAtPath, getPath, getTextAtPath } from '../../connector/jsonPath.ts'
import { promptTooLong, vendorPromptTooLong } from '../../connector/promptTooLong.ts'
import { redactVendorText } from '../../connector/redactVendorText.ts'
import { statusFailure } from '../../connector/statusFailure.ts'
import type { VendorAnswer } from '../../connector/vendorClient.ts'
import type { JobSpec } from '../../provider.ts'

/** The job, and the mapping of its prompt and inputs to fields of the request. */
type RequestContext = { spec: Pick<JobSpec, 'prompt' | 'inputs'>; map: Pick<FieldMap, 'prompt' | 'inputs'> }

/** The text of a refusal. */
export function refusalMessage({ body }: VendorAnswer): string {
  return ['title', 'detail'].flatMap((at) => getTextAtPath(body, at) ?? []).join(': ')
}

/** True when Replicate wrote the answer: its errors are problem details, which repeat the status. */
export function isReplicateError({ status, body }: VendorAnswer): boolean {
  return getTextAtPath(body, 'detail') !== undefined && getNumberAtPath(body, 'status') === status
}

/** The failure of a refused submit. */
export function refusalFailure(answer: VendorAnswer, request: RequestContext): Failure {
  if (answer.status !== 400 && answer.status !== 422) return statusFailure(answer.status)
  const words = refusalMessage(answer)
  if (/invalid version|does not exist|not permitted/i.test(words)) return offline
  const [field] = invalidFieldsOf(answer.body)
  if (field) return fieldFailure(field, request)
  return failureFromMessage(words, request) ?? statusFailure(answer.status)
}

/** The failure of a prediction, by the text of its model. */
export function predictionFailure(words: string, request: RequestContext): Failure {
  return failureFromMessage(words, request) ?? { code: 'internal_error', reason: 'unclassified' }
}

const offline: Failure = { code: 'model_unavailable', reason: 'model_offline' }
const rejected: Failure = { code: 'parameter_validation', reason: 'parameter_rejected' }
const unusableInput: Failure = { code: 'parameter_validation', reason: 'input_rejected_by_model' }
const failed: Failure = { code: 'provider_error', reason: 'provider_failed' }

/** Texts of models and of the platform, most specific first. A code in brackets is Replicate's own. */
const failurePatterns: readonly (readonly [RegExp, Failure | ((request: RequestContext, words: string) => Failure)])[] = [
  [/nsfw|(?<!input or )output (?:was|has been) flagged/i, { code: 'content_policy', reason: 'output_rejected' }],
  [
    /flagged as sensitive|\bE005\b|content (?:policy|moderation)|moderated|safety (?:system|filter|check)|prohibited content/i,
    contentFailure,
  ],
  [
    /\bE003\b|high demand|at capacity|too many requests|rate limit|queue is full/i,
    { code: 'model_unavailable', reason: 'model_at_capacity' },
  ],
  [/\bE004\b|(?:currently|temporarily) unavailable/i, offline],
  [/timed? ?out|deadline exceeded/i, { code: 'timeout', reason: 'model_timeout' }],
  [/prompt.{0,40}too long/i, ({ spec }, words) => vendorPromptTooLong(spec.prompt, redactVendorText(words, { prompt: spec.prompt }))],
  [
    /cannot identify image|(?:invalid|unsupported|corrupt\w*) image|(?:load|decode|read|open) (?:the )?image/i,
    { code: 'image_format', reason: 'image_unreadable' },
  ],
  [/(?:download|fetch)\w* (?:the )?(?:input|file|image|video|audio)/i, unusableInput],
  [/\bE006\b|invalid input|input validation|validation error/i, rejected],
  [/\bE(?:001|002|1000|1001|6716|8367|8765|9243)\b|out of memory|interrupted|unexpected error|internal (?:server )?error/i, failed],
]

function failureFromMessage(words: string, request: RequestContext): Failure | undefined {
  const failure = failurePatterns.find(([pattern]) => pattern.test(words))?.[1]
  return typeof failure === 'function' ? failure(request, words) : failure
}

/** Replicate rarely names the refused part. Without a prompt it is an input. */
function contentFailure({ spec }: RequestContext, words: string): Failure {
  const mentionsInput = spec.inputs.length > 0 && /\b(?:input|uploaded|provided|reference) (?:image|video|audio)/i.test(words)
  return { code: 'content_policy', reason: spec.prompt === null || mentionsInput ? 'input_rejected' : 'prompt_rejected' }
}

type InvalidField = { field: string; description: string }

function invalidFieldsOf(body: Json | undefined): InvalidField[] {
  return getPath(body, 'invalid_fields.*').flatMap((each) => {
    const field = getTextAtPath(each, 'field')
    return field === undefined ? [] : [{ field: field.replace(/^input\./, ''), description: getTextAtPath(each, 'description') ?? '' }]
  })
}

function fieldFailure({ field, description }: InvalidField, { spec, map }: RequestContext): Failure {
  if (inputPaths(map).some((place) => field === place || field.startsWith(`${place}.`))) return unusableInput
  const longest = /less than or equal to (\d+)/.exec(description)?.[1]
  if (field !== map.prompt || longest === undefined || !/length/i.test(description)) return rejected
  return promptTooLong(spec.prompt, Number(longest))
}
