import { expect, test } from 'vitest'
import { exceedsNesting } from '../../src/graphql/exceedsNesting.ts'

test('brackets of all kinds count together, by their depth', () => {
  expect(exceedsNesting('{ a(b: [1]) { c } d(e: { f: [2] }) }', 4)).toBe(false)
  expect(exceedsNesting('{ a(b: [1]) { c } d(e: { f: [2] }) }', 3)).toBe(true)
  expect(exceedsNesting('{a} '.repeat(1000), 1)).toBe(false)
})

test.each([
  ['a text', '"[[["'],
  ['a text with escapes', '"\\"[[[\\\\"'],
  ['a long text', '"""[["[ \\""" [[["""'],
  ['an empty text and a comment', '"" # [[[ " \n'],
  ['a text that does not end on its line', '"[[[\n'],
  ['a long text that never ends', '"""[[['],
])('brackets in %s do not count', (_what, text) => {
  expect(exceedsNesting(`{ a(b: ${text}`, 2)).toBe(false)
  expect(exceedsNesting(`{ a(b: ${text}`, 1)).toBe(true)
})

test.each(['"]]]"', '# ]]]\n', '# "\r', '"""]]]"""', '"\\"]]]"'])('closing brackets in %s hide nothing', (text) => {
  expect(exceedsNesting(`[${text}[`, 1)).toBe(true)
})
