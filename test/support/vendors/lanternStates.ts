import type { Behaviour } from '../conformance/vendorUnderTest.ts'

export type LanternWork = { behaviour: Behaviour; looks: number; stopped: boolean }

type LanternError = { code: string; message: string }

/** Errors in the vendor's format: with a status at the submit, or without one in the job. */
const errors: Record<string, LanternError & { status?: number }> = {
  'content_policy/prompt_rejected': { status: 400, code: 'indecent_prompt', message: 'We do not draw this.' },
  'content_policy/output_rejected': { code: 'indecent_picture', message: 'We are ashamed of what we drew.' },
  'prompt_validation/prompt_too_long': { status: 400, code: 'prompt_too_long', message: 'Say less.' },
  'parameter_validation/parameter_rejected': { status: 422, code: 'bad_field', message: 'scene.light: no such light' },
  'image_format/image_unreadable': { code: 'unreadable_picture', message: 'This is no picture.' },
  'image_size/image_too_small': { code: 'small_picture', message: 'We see nothing on it.' },
  'model_unavailable/model_offline': { status: 404, code: 'no_such_model', message: 'lantern-2 has burnt down' },
  'authentication/provider_access_closed': { status: 402, code: 'account_closed', message: 'Pay first.' },
  'timeout/model_timeout': { code: 'gave_up', message: 'It took too long.' },
  'provider_error/provider_failed': { code: 'broke', message: 'A wire came loose.' },
  'internal_error/unclassified': { code: 'strange_smell', message: 'Something smells.' },
}

/** The answer to a refused submit. */
export function refusalOf(behaviour: Behaviour): { status: number; error: LanternError } | undefined {
  if (behaviour.kind !== 'fails') return undefined
  const { status, ...error } = errors[behaviour.failure] ?? { status: 500, code: 'untold', message: behaviour.failure }
  return status === undefined ? undefined : { status, error }
}

/** The answer to a poll of a job. */
export function stateOf({ behaviour, looks }: LanternWork, files: object[]): object {
  if (behaviour.kind === 'fails') return { state: 'failed', error: errors[behaviour.failure] }
  if (behaviour.kind === 'unknown_state' && looks <= behaviour.looks) return { state: 'pondering' }
  if (behaviour.kind === 'slow' && looks <= behaviour.looks) {
    const half = Math.ceil(behaviour.looks / 2)
    return looks <= half
      ? { state: 'waiting', ahead: half - looks }
      : { state: 'drawing', share: (looks - half) / (behaviour.looks - half + 1) }
  }
  return { state: 'done', files, cost_usd: 0.013 }
}
