import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { makeApiKey, readApiKey } from '../../src/secrets/apiKeyText.ts'

test('a new key has the documented format, shows its first 12 characters, and is stored as the SHA-256 of its value', () => {
  const key = makeApiKey()

  expect(key.value).toMatch(/^atl_[0-9A-Za-z]{43}[0-9A-Za-z]{6}$/)
  expect(key.prefix).toBe(key.value.slice(0, 12))
  expect(key.hash).toEqual(createHash('sha256').update(key.value).digest())
})

test('reading a key returns the hash from its creation', () => {
  const key = makeApiKey()

  expect(readApiKey(key.value)).toEqual(key.hash)
})

test('the checksum of a published key never changes', () => {
  const body = `atl_${'0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'.slice(0, 43)}`

  expect(readApiKey(`${body}0GVL06`)).toBeDefined()
})

test('a key with any single character changed is refused', () => {
  const { value } = makeApiKey()

  for (let place = 0; place < value.length; place++) {
    const other = value[place] === 'x' ? 'y' : 'x'
    expect(readApiKey(value.slice(0, place) + other + value.slice(place + 1))).toBeUndefined()
  }
})

test.each([
  ['nothing', ''],
  ['the bare prefix', 'atl_'],
  ['a cut key', makeApiKey().value.slice(0, -1)],
  ['a longer key', `${makeApiKey().value}0`],
  ['a space behind', `${makeApiKey().value} `],
  ['a line break behind', `${makeApiKey().value}\n`],
  ['the prefix in capitals', makeApiKey().value.replace('atl_', 'ATL_')],
  ['foreign digits', `atl_${'٣'.repeat(49)}`],
  ['a megabyte', `atl_${'a'.repeat(1_000_000)}`],
])('%s is not a key', (_name, text) => {
  expect(readApiKey(text)).toBeUndefined()
})

test('every character is equally likely at random positions', () => {
  const counts = new Map<string, number>()
  const keys = 5_000
  for (let made = 0; made < keys; made++) {
    for (const character of makeApiKey().value.slice(4, 47)) counts.set(character, (counts.get(character) ?? 0) + 1)
  }
  const expected = (keys * 43) / 62

  expect(counts.size).toBe(62)
  // Six standard deviations. Bytes modulo 62 would put the first eight characters 21 % above the mean, more than ten deviations.
  for (const count of counts.values()) expect(Math.abs(count - expected)).toBeLessThan(6 * Math.sqrt(expected))
})
