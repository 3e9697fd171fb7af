type ElevenlabsError = { status: number; detail: unknown }

const detail = (status: string, message: string) => ({ status, message })

/** Errors in ElevenLabs' format for these reasons. */
export const elevenlabsErrors: Record<string, ElevenlabsError> = {
  'content_policy/prompt_rejected': {
    status: 400,
    detail: {
      ...detail('bad_prompt', 'We found that your prompt may violate our Terms of Service.'),
      data: { prompt_suggestion: 'a song' },
    },
  },
  'prompt_validation/prompt_too_long': {
    status: 400,
    detail: detail('max_character_limit_exceeded', "This request's text has 10001 characters and exceeds the character limit of 10000."),
  },
  'prompt_validation/prompt_failed': {
    status: 422,
    detail: [{ loc: ['body', 'text'], msg: 'String should have at least 1 character', type: 'string_too_short' }],
  },
  'parameter_validation/parameter_rejected': {
    status: 404,
    detail: { ...detail('voice_not_found', 'A voice with that ID was not found.'), type: 'not_found', code: 'voice_not_found' },
  },
  'model_unavailable/model_offline': { status: 400, detail: detail('model_not_found', 'A model with that ID does not exist.') },
  'authentication/provider_access_closed': {
    status: 401,
    detail: detail('quota_exceeded', 'This request exceeds your quota. You have 3 credits remaining.'),
  },
  'timeout/model_timeout': { status: 504, detail: detail('timeout', 'The request took too long.') },
  'provider_error/provider_failed': { status: 500, detail: detail('internal_error', 'An internal error occurred.') },
  'internal_error/unclassified': { status: 418, detail: detail('teapot', 'Something that nobody has heard of.') },
}

export const elevenlabsBusy = {
  429: detail('too_many_concurrent_requests', 'Too many concurrent requests. Your current subscription has a maximum of 5.'),
  503: detail('system_busy', 'We are experiencing heavy traffic.'),
}
