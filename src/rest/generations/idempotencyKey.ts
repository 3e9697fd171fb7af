import { limits } from '../../contract/limits.ts'
import { type Issue, invalidRequest } from '../../contract/refusals/refusals.ts'
import type { Call } from '../endpoint.ts'

const form = new RegExp(`^[\\x20-\\x7e]{1,${limits.idempotencyKeyCharacters}}$`)

/**
 * The `Idempotency-Key` of a request, if it has one: 1 to 255 printable ASCII characters, once.
 * Refusals: invalid_request. Contract: docs/contract.md#idempotency.
 */
export function idempotencyKeyOf(call: Pick<Call, 'header' | 'headerCount'>): string | undefined {
  const value = call.header('idempotency-key')
  if (value === undefined) return undefined
  const place: Pick<Issue, 'in' | 'path'> = { in: 'header', path: ['Idempotency-Key'] }
  if (call.headerCount('idempotency-key') > 1)
    throw invalidRequest({ ...place, code: 'conflict', message: 'The request may have only one Idempotency-Key.' })
  if (!form.test(value)) {
    const message = `Idempotency-Key takes 1 to ${limits.idempotencyKeyCharacters} printable ASCII characters.`
    throw invalidRequest({ ...place, code: value.length > limits.idempotencyKeyCharacters ? 'too_long' : 'bad_format', message })
  }
  return value
}
