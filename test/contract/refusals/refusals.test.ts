import { expect, test } from 'vitest'
import { refusalTable } from '../../../src/contract/refusals/refusals.ts'
import { commonRefusals } from '../../../src/rest/endpoint.ts'
import { endpoints } from '../../../src/rest/endpoints.ts'

/** The closed table of the specification and the two additions of ours: code, status, whether a repeat may pass. */
const published: [code: string, status: number, retryable: boolean | 'by cause'][] = [
  ['access_denied', 403, false],
  ['account_blocked', 403, false],
  ['cancel_conflict', 409, true],
  ['cost_above_limit', 402, false],
  ['credit_reservation_failed', 402, true],
  ['family_not_found', 400, false],
  ['family_unavailable', 503, true],
  ['file_fetch_failed', 502, 'by cause'],
  ['file_metadata_missing', 400, true],
  ['file_not_found', 404, false],
  ['file_not_ready', 409, true],
  ['file_processing_failed', 422, false],
  ['file_quota_exceeded', 409, false],
  ['generation_not_found', 404, false],
  ['idempotency_conflict', 409, false],
  ['idempotency_in_progress', 409, true],
  ['insufficient_credits', 402, 'by cause'],
  ['insufficient_scope', 403, false],
  ['internal_error', 500, true],
  ['invalid_cursor', 400, false],
  ['invalid_parameters', 400, false],
  ['invalid_request', 400, false],
  ['invalid_token', 401, false],
  ['not_cancellable', 409, false],
  ['payload_too_large', 413, false],
  ['price_unavailable', 400, false],
  ['queue_unavailable', 500, true],
  ['rate_limited', 429, true],
  ['service_unavailable', 503, true],
  ['spend_limit_exceeded', 403, 'by cause'],
  ['subscription_required', 403, false],
  ['team_expired', 403, false],
  ['team_required', 403, false],
  ['too_many_concurrent', 429, true],
  ['too_many_open', 429, true],
  ['unauthorized', 401, false],
  ['unsupported_content_type', 415, false],
  ['unsupported_file_format', 415, false],
  ['variant_not_resolved', 400, false],
  ['not_found', 404, false],
  ['method_not_allowed', 405, false],
]

test('the refusals have the published statuses and retryable flags', () => {
  const ours = Object.entries(refusalTable).map(([code, { http, retryable }]) => [code, { http, retryable }])
  const theirs = published.map(([code, http, retryable]) => [code, { http, retryable: retryable === 'by cause' ? false : retryable }])
  expect(Object.fromEntries(ours)).toEqual(Object.fromEntries(theirs))
})

test('every refusal has a message', () => {
  for (const { message } of Object.values(refusalTable)) expect(message).toMatch(/^[A-Z].{10,}\.$/)
})

test('every refusal is documented at an endpoint', () => {
  const met = new Set([...commonRefusals, ...endpoints(() => undefined).flatMap(({ refusals }) => refusals)])
  const elsewhere = ['not_found', 'method_not_allowed']
  expect(published.map(([code]) => code).filter((code) => !met.has(code as never) && !elsewhere.includes(code))).toEqual([])
})
