import { expect, test } from 'vitest'
import { statusFailure, submitRefusal } from '../../../src/providers/connector/statusFailure.ts'

const now = new Date('2026-11-22T12:00:00.000Z')
const verdict = (status: number, headers: Record<string, string> = {}) => submitRefusal({ status, headers }, { now, isOwnError: true })
const ofProxy = (status: number) => submitRefusal({ status, headers: { 'retry-after': '7' } }, { now, isOwnError: false })

test.each([429, 503])('%i means busy, and the work waits as long as the vendor asks', (status) => {
  expect(verdict(status)).toEqual({ kind: 'busy' })
  expect(verdict(status, { 'retry-after': '7' })).toEqual({ kind: 'busy', retryAfterMs: 7000 })
  expect(verdict(status, { 'retry-after': 'Sun, 22 Nov 2026 12:00:30 GMT' })).toEqual({ kind: 'busy', retryAfterMs: 30_000 })
})

test.each([408, 500, 502, 503, 504])('%i not in the words of the vendor throws, since the vendor may have the work', (status) => {
  expect(() => ofProxy(status)).toThrow(`answered ${status}`)
})

test('a 429 means busy, also from a proxy', () => {
  expect(ofProxy(429)).toEqual({ kind: 'busy', retryAfterMs: 7000 })
})

test.each([400, 401, 403, 404, 413, 422])('%i fails the work, also from a proxy', (status) => {
  expect(ofProxy(status)).toEqual({ kind: 'failed', failure: statusFailure(status) })
})

test('an invalid pause is ignored', () => {
  expect(verdict(429, { 'retry-after': 'soon' })).toEqual({ kind: 'busy' })
  expect(verdict(429, { 'retry-after': '-5' })).toEqual({ kind: 'busy' })
  expect(verdict(429, { 'retry-after': 'Sun, 22 Nov 2020 12:00:30 GMT' })).toEqual({ kind: 'busy', retryAfterMs: 0 })
  expect(verdict(429, { 'retry-after': '999999999' })).toEqual({ kind: 'busy', retryAfterMs: 3_600_000 })
})

test('a status of 2xx is no refusal', () => {
  for (const status of [200, 201, 202]) expect(verdict(status)).toBeUndefined()
})

test.each([
  [400, 'parameter_validation/parameter_rejected'],
  [401, 'authentication/provider_access_closed'],
  [402, 'authentication/provider_access_closed'],
  [403, 'authentication/provider_access_closed'],
  [404, 'model_unavailable/model_offline'],
  [408, 'timeout/model_timeout'],
  [422, 'parameter_validation/parameter_rejected'],
  [500, 'provider_error/provider_failed'],
  [502, 'provider_error/provider_failed'],
  [504, 'timeout/model_timeout'],
  [302, 'internal_error/unclassified'],
  [418, 'internal_error/unclassified'],
])('%i means %s without a more precise error', (status, failure) => {
  const { code, reason } = statusFailure(status)
  expect(`${code}/${reason}`).toBe(failure)
})
