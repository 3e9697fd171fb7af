import { expect, test } from 'vitest'
import { readText } from '../../../src/contract/shapes/text.ts'

const blanks = { pattern: /\s/, message: 'Remove blanks.' }

test.each([
  ['is trimmed', ' a ', { charactersMax: 1 }, { text: 'a' }],
  ['keeps its ends where the rule says so', ' a ', { charactersMax: 3, keepEnds: true }, { text: ' a ' }],
  ['counts code points', '😀😀', { charactersMax: 2 }, { text: '😀😀' }],
  ['of one code point more is refused', '😀😀😀', { charactersMax: 2 }, 'too_long'],
  ['of blanks only is refused', '  ', { charactersMax: 2 }, 'too_small'],
  ['with a NUL is refused', 'a\0', { charactersMax: 2 }, 'bad_format'],
  ['with half of a surrogate pair is refused', '\ud83d', { charactersMax: 2 }, 'bad_format'],
  ['with a forbidden character is refused', 'a b', { charactersMax: 3, forbidden: blanks }, 'bad_format'],
])('a text %s', (_what, given, rule, expected) => {
  const read = readText(given, rule)
  expect('fault' in read ? read.fault.code : read).toEqual(expected)
})
