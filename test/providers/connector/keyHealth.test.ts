import { expect, test } from 'vitest'
import { keyHealth } from '../../../src/providers/connector/keyHealth.ts'

test.each([
  [200, { ok: true }],
  [401, { ok: false, message: 'rejects KITE_KEY' }],
  [403, { ok: false, message: 'rejects KITE_KEY' }],
  [404, { ok: false, message: 'answers with 404' }],
  [502, { ok: false, message: 'answers with 502' }],
])('a status of %i for a free request results in %j', (status, health) => {
  expect(keyHealth(status, { variable: 'KITE_KEY' })).toEqual(health)
})

test('a vendor may declare other statuses as healthy', () => {
  expect(keyHealth(404, { variable: 'KITE_KEY', good: [404] })).toEqual({ ok: true })
})
