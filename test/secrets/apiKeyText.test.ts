import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { makeApiKey, readApiKey } from '../../src/secrets/apiKeyText.ts'

test('a new key has the published form, shows its first 12 characters, and is kept as the SHA-256 of all of it', () => {
  const key = makeApiKey()

  expect(key.value).toMatch(/^atl_[0-9A-Za-z]{43}[0-9A-Za-z]{6}$/)
  expect(key.prefix).toBe(key.value.slice(0, 12))
  expect(key.hash).toEqual(createHash('sha256').update(key.value).digest())
})

test('reading a key gives the hash that it was made with', () => {
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
])('%s is no key', (_name, text) => {
  expect(readApiKey(text)).toBeUndefined()
})

test('every character comes up equally often at random places', () => {
  const counts = new Map<string, number>()
  const keys = 5_000
  for (let made = 0; made < keys; made++) {
    for (const character of makeApiKey().value.slice(4, 47)) counts.set(character, (counts.get(character) ?? 0) + 1)
  }
  const expected = (keys * 43) / 62

  expect(counts.size).toBe(62)
  // Six standard deviations; taking bytes modulo 62 would put the first eight characters at 21 % over the mean, over ten deviations.
  for (const count of counts.values()) expect(Math.abs(count - expected)).toBeLessThan(6 * Math.sqrt(expected))
})
