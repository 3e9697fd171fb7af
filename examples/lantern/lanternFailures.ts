import type { Failure } from '../../src/contract/failures/failures.ts'
import { getPath } from '../../src/providers/connector/jsonPath.ts'
import { redactVendorText } from '../../src/providers/connector/redactVendorText.ts'
import { statusFailure } from '../../src/providers/connector/statusFailure.ts'
import type { VendorAnswer } from '../../src/providers/connector/vendorClient.ts'
import type { JobSpec, ProviderLog } from '../../src/providers/provider.ts'

/** What the vendor calls its errors, as its documentation lists them. */
const failures: Record<string, Failure> = {
  indecent_prompt: { code: 'content_policy', reason: 'prompt_rejected' },
  indecent_picture: { code: 'content_policy', reason: 'output_rejected' },
  prompt_too_long: { code: 'prompt_validation', reason: 'prompt_too_long' },
  bad_field: { code: 'parameter_validation', reason: 'parameter_rejected' },
  unreadable_picture: { code: 'image_format', reason: 'image_unreadable' },
  small_picture: { code: 'image_size', reason: 'image_too_small' },
  no_such_model: { code: 'model_unavailable', reason: 'model_offline' },
  account_closed: { code: 'authentication', reason: 'provider_access_closed' },
  gave_up: { code: 'timeout', reason: 'model_timeout' },
  broke: { code: 'provider_error', reason: 'provider_failed' },
}

const unclassified: Failure = { code: 'internal_error', reason: 'unclassified' }

/** What it calls having no room, which is no failure of the work. */
const full = 'no_room'

/** Whether the vendor wrote the answer, and not something on the way. */
export function isLanternError({ body }: VendorAnswer): boolean {
  return typeof getPath(body, 'error.code')[0] === 'string'
}

/** The failure that an answer tells of, at a submit or in the state of a job. The vendor's own words go to the log alone. */
export function lanternFailure({ status, body }: VendorAnswer, spec: JobSpec, log: ProviderLog): Failure | undefined {
  const [code] = getPath(body, 'error.code')
  if (typeof code !== 'string') return [401, 402, 403].includes(status) ? statusFailure(status) : undefined
  if (code === full) return undefined
  const [words] = getPath(body, 'error.message')
  log.warn({ status, code, words: redactVendorText(JSON.stringify(words ?? null), spec) }, 'Lantern refused the work')
  return Object.hasOwn(failures, code) ? failures[code] : unclassified
}
