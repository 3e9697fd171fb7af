import type { Failure } from '../../../contract/failures/failures.ts'
import type { Json } from '../../../contract/json.ts'
import { type FieldMap, inputPaths } from '../../connector/fieldMap.ts'
import { getNumberAtPath } from '../../connector/jsonPath.ts'
import { promptTooLong, vendorPromptTooLong } from '../../connector/promptTooLong.ts'
import { statusFailure } from '../../connector/statusFailure.ts'
import type { JobSpec } from '../../provider.ts'

/** One validation error of a model. `loc` is the path of the field, `ctx` the allowed values. */
export type FalDetail = { type: string; loc: string[]; msg: string; ctx: Record<string, Json> }

/** The job, and the mapping of its prompt and inputs to fields of fal's request. */
export type FalRequestContext = { spec: Pick<JobSpec, 'prompt' | 'inputs'>; map: Pick<FieldMap, 'prompt' | 'inputs'> }
type FailureContext = FalRequestContext & { status: number }
type FailureMapper = (detail: FalDetail, context: FailureContext) => Failure

/** Maps an error of a model to a failure. The text of the model is not passed on. */
export function modelFailure(detail: FalDetail, context: FailureContext): Failure {
  const mapper = Object.hasOwn(failureMappers, detail.type) ? failureMappers[detail.type] : undefined
  if (mapper) return mapper(detail, context)
  // Any other error of a field is a validation error.
  return context.status === 422 ? rejected(detail, context) : statusFailure(context.status)
}

function constantFailure(code: Failure['code'], reason: Failure['reason']): FailureMapper {
  return () => ({ code, reason })
}

const unusableInput = constantFailure('parameter_validation', 'input_rejected_by_model')

const failureMappers: Readonly<Record<string, FailureMapper>> = {
  internal_server_error: constantFailure('provider_error', 'provider_failed'),
  generation_timeout: constantFailure('timeout', 'model_timeout'),
  downstream_service_error: constantFailure('provider_error', 'provider_failed'),
  downstream_service_unavailable: constantFailure('model_unavailable', 'model_offline'),
  content_policy_violation: content,
  no_media_generated: (_, { spec }) => ({
    code: 'prompt_validation',
    reason: spec.inputs.length > 0 ? 'prompt_images_failed' : 'prompt_failed',
  }),
  image_too_small: ({ ctx }) =>
    withNumbers({ code: 'image_size', reason: 'image_too_small' }, { minWidth: ctx['min_width'], minHeight: ctx['min_height'] }),
  image_too_large: ({ ctx }) =>
    withNumbers({ code: 'image_size', reason: 'image_too_large' }, { maxWidth: ctx['max_width'], maxHeight: ctx['max_height'] }),
  image_load_error: constantFailure('image_format', 'image_unreadable'),
  unsupported_image_format: constantFailure('image_format', 'image_unreadable'),
  file_download_error: unusableInput,
  face_detection_error: constantFailure('prompt_validation', 'prompt_images_failed'),
  file_too_large: ({ ctx }) => withNumbers({ code: 'file_size', reason: 'file_too_large' }, { maxBytes: ctx['max_size'] }),
  feature_not_supported: constantFailure('feature_limitation', 'not_supported'),
  string_too_long: tooLong,
  sequence_too_long: tooLong,
  invalid_archive: unusableInput,
  audio_duration_too_long: duration,
  audio_duration_too_short: duration,
  video_duration_too_long: duration,
  video_duration_too_short: duration,
  unsupported_audio_format: unusableInput,
  unsupported_video_format: unusableInput,
}

/** About an input when the model points at one, or when there is no prompt. */
function content(detail: FalDetail, { spec, map }: FailureContext): Failure {
  const isOfInput = spec.prompt === null || isInput(detail.loc, map) || (spec.inputs.length > 0 && mentionsInput(detail))
  return { code: 'content_policy', reason: isOfInput ? 'input_rejected' : 'prompt_rejected' }
}

const media = /image|picture|photo|frame|mask|video|audio/i

/**
 * True when the model refers to an input. Models may name another field than the one that was sent, such as `image_url` for a list, omit
 * the part of the request, or mention the input only in the text.
 */
export function mentionsInput({ loc, msg }: Pick<FalDetail, 'loc' | 'msg'>): boolean {
  return loc.some((step) => media.test(step)) || /\b(?:input|uploaded|provided|reference|source) (?:image|video|audio|media)/i.test(msg)
}

function tooLong(detail: FalDetail, context: FailureContext): Failure {
  const { spec, map } = context
  if (map.prompt === undefined || !isAt(detail.loc, map.prompt)) return rejected(detail, context)
  const limit = getNumberAtPath(detail.ctx, 'max_length')
  return limit === undefined ? vendorPromptTooLong(spec.prompt, detail.msg) : promptTooLong(spec.prompt, limit)
}

function duration({ ctx }: FalDetail): Failure {
  return withNumbers(
    { code: 'parameter_validation', reason: 'input_rejected_by_model' },
    {
      minDurationSeconds: ctx['min_duration'],
      maxDurationSeconds: ctx['max_duration'],
      actualDurationSeconds: ctx['provided_duration'],
    },
  )
}

function rejected({ loc }: FalDetail, { map }: FailureContext): Failure {
  return { code: 'parameter_validation', reason: isInput(loc, map) ? 'input_rejected_by_model' : 'parameter_rejected' }
}

function isInput(loc: readonly string[], map: FalRequestContext['map']): boolean {
  return inputPaths(map).some((place) => isAt(loc, place))
}

/** `loc` begins with the part of the request and may end with a list index. */
function isAt(loc: readonly string[], place: string): boolean {
  const path = loc.slice(1).join('.')
  return path === place || path.startsWith(`${place}.`)
}

function withNumbers(failure: Failure, numbers: Record<string, Json | undefined>): Failure {
  const details = Object.entries(numbers).filter((entry): entry is [string, number] => Number.isFinite(entry[1]))
  return details.length > 0 ? { ...failure, details: Object.fromEntries(details) } : failure
}
