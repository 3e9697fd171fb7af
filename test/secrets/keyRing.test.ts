import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { makeKeyRing, openToken, parseSecretKey, sealToken } from '../../src/secrets/keyRing.ts'

const purpose = 'webhook_subscriptions.signing_secret:hook_1'
const plain = Buffer.from('whsec_secret')

test('a sealed value opens for its purpose and shows nothing of its content', () => {
  const ring = makeKeyRing([randomBytes(32)])
  const sealed = ring.seal(plain, purpose)

  expect(ring.open(sealed, purpose)).toEqual(plain)
  expect(sealed.includes(plain)).toBe(false)
  expect(sealed.length).toBe(30 + plain.length)
})

test('sealing twice never gives the same bytes', () => {
  const ring = makeKeyRing([randomBytes(32)])

  expect(ring.seal(plain, purpose)).not.toEqual(ring.seal(plain, purpose))
})

test('an empty value can be sealed', () => {
  const ring = makeKeyRing([randomBytes(32)])

  expect(ring.open(ring.seal(Buffer.alloc(0), purpose), purpose)).toEqual(Buffer.alloc(0))
})

test.each(['webhook_subscriptions.signing_secret:hook_2', 'webhook_subscriptions.signing_secret', 'result_link', 'result_link:hook_1', ''])(
  'a value sealed for one purpose does not open for %j',
  (other) => {
    const ring = makeKeyRing([randomBytes(32)])

    expect(ring.open(ring.seal(plain, purpose), other)).toBeUndefined()
  },
)

test('a value is current when the first key sealed it, and unaltered for that purpose', () => {
  const [first, second] = [randomBytes(32), randomBytes(32)]
  const sealed = makeKeyRing([second]).seal(plain, purpose)

  expect(makeKeyRing([second, first]).isCurrent(sealed, purpose)).toBe(true)
  expect(makeKeyRing([first, second]).isCurrent(sealed, purpose)).toBe(false)
  expect(makeKeyRing([second]).isCurrent(sealed, 'another')).toBe(false)
  expect(makeKeyRing([second]).isCurrent(sealed.subarray(1), purpose)).toBe(false)
})

test('a value with any single bit changed does not open', () => {
  const ring = makeKeyRing([randomBytes(32)])
  const sealed = ring.seal(plain, purpose)

  for (let bit = 0; bit < sealed.length * 8; bit++) {
    const altered = Buffer.from(sealed)
    altered.writeUInt8(altered.readUInt8(bit >> 3) ^ (1 << (bit & 7)), bit >> 3)
    expect(ring.open(altered, purpose)).toBeUndefined()
  }
})

test('a truncated value does not open', () => {
  const ring = makeKeyRing([randomBytes(32)])
  const sealed = ring.seal(plain, purpose)

  for (let length = 0; length < sealed.length; length++) expect(ring.open(sealed.subarray(0, length), purpose)).toBeUndefined()
})

test('after a rotation the new key seals, and old and new values open in any order of the list', () => {
  const [older, newer] = [randomBytes(32), randomBytes(32)]
  const before = makeKeyRing([older]).seal(plain, purpose)
  const rotated = makeKeyRing([newer, older])
  const after = rotated.seal(plain, purpose)

  expect(rotated.open(before, purpose)).toEqual(plain)
  expect(makeKeyRing([older, newer]).open(after, purpose)).toEqual(plain)
  expect(makeKeyRing([newer]).open(after, purpose)).toEqual(plain)
  expect(makeKeyRing([newer]).open(before, purpose)).toBeUndefined()
})

test('keys with the same number open their own values', () => {
  const number = (key: Buffer) => makeKeyRing([key]).seal(plain, purpose)[1]
  const first = randomBytes(32)
  let second = randomBytes(32)
  while (number(second) !== number(first)) second = randomBytes(32)

  expect(makeKeyRing([first, second]).open(makeKeyRing([second]).seal(plain, purpose), purpose)).toEqual(plain)
})

test('values sealed by an earlier release still open', () => {
  const ring = makeKeyRing([Buffer.alloc(32, 7)])
  const earlier = 'Aag0LWxZmmF9rztpHPRnG-d7apoPnUEBb0gAsIxEV_5kpIe5OFylv-3wEq6d'

  expect(openToken(ring, earlier, 'result_link')?.toString()).toBe('sealed long ago')
})

test.each([0, 1, 2, 3])('a token of %i bytes opens only in its canonical encoding', (length) => {
  const ring = makeKeyRing([randomBytes(32)])
  const content = randomBytes(length)
  const token = sealToken(ring, content, 'result_link')
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
  const others = [...alphabet].map((last) => token.slice(0, -1) + last).filter((other) => other !== token)

  expect(token).toMatch(/^[A-Za-z0-9_-]+$/)
  expect(openToken(ring, token, 'result_link')).toEqual(content)
  for (const other of [...others, `${token}=`, `${token} `, ` ${token}`, `${token}A`, token.slice(0, -1), `${token}!`, '', 'ä']) {
    expect(openToken(ring, other, 'result_link')).toBeUndefined()
  }
})

test.each([[[]], [[Buffer.alloc(31)]], [[Buffer.alloc(32), Buffer.alloc(33)]]])('a ring of invalid keys is rejected', (keys) => {
  expect(() => makeKeyRing(keys)).toThrow(RangeError)
})

test('a key setting is parsed as a list, in its order', () => {
  const keys = [randomBytes(32), randomBytes(32)]

  expect(parseSecretKey(keys.map((key) => key.toString('base64')).join(', '))).toEqual(keys)
})

const good = randomBytes(32).toString('base64')
test.each([
  ['', 'entry 1 is empty'],
  [`${good},`, 'entry 2 is empty'],
  [randomBytes(31).toString('base64'), 'entry 1 is 31 bytes long'],
  [`${good},${randomBytes(64).toString('base64')}`, 'entry 2 is 64 bytes long'],
  ['changeme', 'entry 1 is 6 bytes long'],
  ['not base64!', 'entry 1 is not plain base64'],
  [good.slice(0, -1), 'entry 1 is not plain base64'],
  [randomBytes(32).toString('hex'), 'entry 1 is 48 bytes long'],
  [`${good.slice(0, 10)}\n${good.slice(10)}`, 'entry 1 is not plain base64'],
])('an invalid key setting is refused in one line without its value (%#)', (text, found) => {
  const attempt = () => parseSecretKey(text)

  expect(attempt).toThrow(`takes 32 bytes in base64, several separated by commas; ${found}`)
})
