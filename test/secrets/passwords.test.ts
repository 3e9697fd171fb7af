import { expect, test } from 'vitest'
import { hashPassword, verifyPassword } from '../../src/secrets/passwords.ts'

test('a password is recognised by its hash, and only it', async () => {
  const stored = await hashPassword('correct horse')
  expect(await verifyPassword('correct horse', stored)).toBe(true)
  expect(await verifyPassword('correct horse ', stored)).toBe(false)
  expect(await verifyPassword('', stored)).toBe(false)
})

test('the same password is stored differently each time, and never as it is', async () => {
  const [first, second] = await Promise.all([hashPassword('correct horse'), hashPassword('correct horse')])
  expect(first).not.toBe(second)
  expect(first).toMatch(/^scrypt\$15\$8\$3\$[\w-]{22}\$[\w-]{43}$/)
})

test('a password typed with composed or decomposed letters is the same', async () => {
  expect(await verifyPassword('cafe\u0301 noir', await hashPassword('caf\u00e9 noir'))).toBe(true)
})

test('nobody passes where no password, or something else, is stored', async () => {
  expect(await verifyPassword('anything', null)).toBe(false)
  expect(await verifyPassword('anything', 'scrypt$15$8$3$$')).toBe(false)
  expect(await verifyPassword('', '')).toBe(false)
})
