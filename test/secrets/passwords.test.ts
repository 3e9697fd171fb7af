import { expect, test } from 'vitest'
import { hashPassword, verifyPassword } from '../../src/secrets/passwords.ts'

test('only the right password matches a hash', async () => {
  const stored = await hashPassword('correct horse')
  expect(await verifyPassword('correct horse', stored)).toBe(true)
  expect(await verifyPassword('correct horse ', stored)).toBe(false)
  expect(await verifyPassword('', stored)).toBe(false)
})

test('the same password is stored with a new salt each time, and never in plain text', async () => {
  const [first, second] = await Promise.all([hashPassword('correct horse'), hashPassword('correct horse')])
  expect(first).not.toBe(second)
  expect(first).toMatch(/^scrypt\$15\$8\$3\$[\w-]{22}\$[\w-]{43}$/)
})

test('composed and decomposed letters of a password match', async () => {
  expect(await verifyPassword('cafe\u0301 noir', await hashPassword('caf\u00e9 noir'))).toBe(true)
})

test('no password matches a missing or malformed hash', async () => {
  expect(await verifyPassword('anything', null)).toBe(false)
  expect(await verifyPassword('anything', 'scrypt$15$8$3$$')).toBe(false)
  expect(await verifyPassword('', '')).toBe(false)
})
