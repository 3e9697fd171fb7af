import { expect, test } from 'vitest'
import { hashPassword, verifyPassword } from '../../src/secrets/passwords.ts'

/** Derived at a low cost, which a stored hash names. */
const cheap = 'scrypt$4$8$1$c2FsdHNhbHRzYWx0c2FsdA$HyjJN_Rhn4xNwHKe7jp_XfsgcKeHzXhGC01eiJmtAP8'

test('only the right password matches a hash, at the cost that the hash names', async () => {
  expect(await verifyPassword('café noir', cheap)).toBe(true)
  expect(await verifyPassword('café noir ', cheap)).toBe(false)
  expect(await verifyPassword('', cheap)).toBe(false)
})

test('the same password is stored with a new salt each time, and never in plain text', async () => {
  const [first, second] = await Promise.all([hashPassword('correct horse'), hashPassword('correct horse')])
  expect(first).not.toBe(second)
  expect(first).toMatch(/^scrypt\$15\$8\$3\$[\w-]{22}\$[\w-]{43}$/)
  expect(await verifyPassword('correct horse', first)).toBe(true)
})

test('composed and decomposed letters of a password match', async () => {
  expect(await verifyPassword('cafe\u0301 noir', cheap)).toBe(true)
})

test('no password matches a missing or malformed hash', async () => {
  const verdicts = [verifyPassword('anything', null), verifyPassword('anything', 'scrypt$15$8$3$$'), verifyPassword('', '')]
  expect(await Promise.all(verdicts)).toEqual([false, false, false])
})
