/**
 * The closed table of generation failures: for each class and reason the message, whether a repeat may succeed, and a hint.
 * Contract: docs/contract.md#classes-and-reasons.
 * A published reason is never renamed. Messages of models are never copied into this table.
 */
type ReasonRule = { message: string; hint: FailureHint }
type ClassRule = { retryable: boolean; reasons: Record<string, ReasonRule> }

export type FailureHint =
  | 'change_content'
  | 'shorten_prompt'
  | 'rewrite_prompt'
  | 'replace_images'
  | 'fix_parameters'
  | 'resize_file'
  | 'resize_image'
  | 'reencode_image'
  | 'choose_other_family'
  | 'retry_later'
  | 'top_up'
  | 'retry'
  | 'none'

function reason(hint: FailureHint, message: string): ReasonRule {
  return { hint, message }
}

export const failureTable = {
  content_policy: {
    retryable: false,
    reasons: {
      prompt_rejected: reason('change_content', 'The model refused the prompt because of its content.'),
      input_rejected: reason('change_content', 'The model refused an input file because of its content.'),
      output_rejected: reason('change_content', 'The model rejected its own result because of its content.'),
    },
  },
  prompt_validation: {
    retryable: false,
    reasons: {
      prompt_too_long: reason('shorten_prompt', 'The prompt is longer than the model allows.'),
      prompt_failed: reason('rewrite_prompt', 'The model could not process the prompt.'),
      prompt_images_failed: reason('replace_images', 'The model could not use the images together with the prompt.'),
    },
  },
  parameter_validation: {
    retryable: false,
    reasons: {
      parameter_rejected: reason('fix_parameters', 'The model did not accept a parameter.'),
      input_rejected_by_model: reason('fix_parameters', 'The model did not accept an input.'),
    },
  },
  file_size: {
    retryable: false,
    reasons: {
      file_too_large: reason('resize_file', 'An input file is larger than the model allows.'),
      file_too_small: reason('resize_file', 'An input file is smaller than the model allows.'),
    },
  },
  image_size: {
    retryable: false,
    reasons: {
      image_too_small: reason('resize_image', 'An input image is smaller than the model allows.'),
      image_too_large: reason('resize_image', 'An input image is larger than the model allows.'),
      aspect_ratio_rejected: reason('resize_image', 'The model does not accept the aspect ratio of an input image.'),
    },
  },
  image_format: {
    retryable: false,
    reasons: { image_unreadable: reason('reencode_image', 'An input file could not be read as an image.') },
  },
  feature_limitation: {
    retryable: false,
    reasons: { not_supported: reason('choose_other_family', 'The model does not support this request.') },
  },
  model_unavailable: {
    retryable: true,
    reasons: {
      model_offline: reason('retry_later', 'The model is offline.'),
      model_at_capacity: reason('retry_later', 'The model is at capacity.'),
    },
  },
  insufficient_credits: {
    retryable: false,
    reasons: { credits_exhausted: reason('top_up', 'The account ran out of credits before the work began.') },
  },
  authentication: {
    retryable: true,
    reasons: { provider_access_closed: reason('retry_later', 'The service temporarily has no access to the model.') },
  },
  timeout: {
    retryable: true,
    reasons: {
      model_timeout: reason('retry', 'The model did not answer in time.'),
      deadline_exceeded: reason('retry', 'The work did not end within its deadline.'),
    },
  },
  provider_error: {
    retryable: true,
    reasons: {
      provider_failed: reason('retry', 'The model failed temporarily.'),
      result_expired: reason('retry', 'The result expired before it could be downloaded.'),
    },
  },
  internal_error: {
    retryable: true,
    reasons: {
      unclassified: reason('retry', 'The generation failed for an unknown reason.'),
      storage_failed: reason('retry', 'The result could not be stored.'),
      submit_unknown: reason('retry', 'It is not known whether the model received the work.'),
    },
  },
  user_cancellation: {
    retryable: false,
    reasons: { cancelled_upstream: reason('none', 'The vendor of the model cancelled the work.') },
  },
} as const satisfies Record<string, ClassRule>

export type FailureClass = keyof typeof failureTable
export type FailureReason = { [C in FailureClass]: keyof (typeof failureTable)[C]['reasons'] }[FailureClass]

/** A failure as a provider reports it and a generation stores it; `details` contains only numbers, e.g. `{ maxLength, actualLength }`. */
export type Failure = { code: FailureClass; reason: FailureReason; details?: Record<string, number> }

/** The failure with the name `class/reason`; `undefined` when the table has none. */
export function parseFailure(text: string): Failure | undefined {
  const [code, name] = text.split('/')
  if (code === undefined || name === undefined || !Object.hasOwn(failureTable, code)) return undefined
  const rule: ClassRule = failureTable[code as FailureClass]
  return Object.hasOwn(rule.reasons, name) ? { code: code as FailureClass, reason: name as FailureReason } : undefined
}

/** Every `class/reason` of the table, in its order. */
export function failureNames(): string[] {
  return Object.entries(failureTable).flatMap(([code, rule]) => Object.keys(rule.reasons).map((name) => `${code}/${name}`))
}
