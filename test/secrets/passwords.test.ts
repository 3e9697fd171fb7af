import { expect, test } from 'vitest'
import { makePasswords } from '../../src/secrets/passwords.ts'

const { hash, verify } = makePasswords({ logN: 4, r: 8, p: 1 })
/** Derived at a low cost, which a stored hash names. */
const cheap = 'scrypt$4$8$1$c2FsdHNhbHRzYWx0c2FsdA$HyjJN_Rhn4xNwHKe7jp_XfsgcKeHzXhGC01eiJmtAP8'

test('only the right password matches a hash, at the cost that the hash names', async () => {
  expect(await verify('café noir', cheap)).toBe(true)
  expect(await verify('café noir ', cheap)).toBe(false)
  expect(await verify('', cheap)).toBe(false)
})

test('the same password is stored with a new salt each time, and never in plain text', async () => {
  const [first, second] = await Promise.all([hash('correct horse'), hash('correct horse')])
  expect(first).not.toBe(second)
  expect(first).toMatch(/^scrypt\$4\$8\$1\$[\w-]{22}\$[\w-]{43}$/)
  expect(await verify('correct horse', first)).toBe(true)
})

test('in production a hash costs 32 MiB three times', async () => {
  expect(await makePasswords().hash('correct horse')).toMatch(/^scrypt\$15\$8\$3\$/)
})

test('composed and decomposed letters of a password match', async () => {
  expect(await verify('cafe\u0301 noir', cheap)).toBe(true)
})

test('no password matches a missing or malformed hash', async () => {
  const verdicts = [verify('anything', null), verify('anything', 'scrypt$15$8$3$$'), verify('', '')]
  expect(await Promise.all(verdicts)).toEqual([false, false, false])
})
