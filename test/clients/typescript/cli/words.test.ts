import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { typedParameter } from '../../../../clients/typescript/src/cli/parameters.ts'
import { quoteShellWords } from '../../../../clients/typescript/src/cli/quoteShellWords.ts'
import { visible, visibleJson } from '../../../../clients/typescript/src/cli/visible.ts'
import type { Family } from '../../../../clients/typescript/src/index.ts'

const hostile = 'a\u001b]0;x\u0007\u009b31m\u202e\u2028\u0000b\r\n\t𝄞 👩‍👩‍👧'

test('control characters are removed from a text, and readable text stays', () => {
  expect(visible(hostile)).toBe('a\\u{1b}]0;x\\u{7}\\u{9b}31m\\u{202e}\\u{2028}\\u{0}b\\r\\n\\t𝄞 👩‍👩‍👧')
  expect(visibleJson({ hostile })).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u202e\u2028]/)
  expect(JSON.parse(visibleJson({ hostile, tag: '\u{e0041}' }))).toEqual({ hostile, tag: '\u{e0041}' })
})

test('a shell reads quoted words back unchanged', () => {
  const words = ['plain', "it's", '$(x) `y` "z"', 'two\nlines\u001b[31m\\n', '', 'ü*']
  const read = execFileSync('bash', ['--norc', '-c', `printf '%s\\0' ${quoteShellWords(words)}`], { env: { LC_ALL: 'C.UTF-8' } })
  expect(read.toString().split('\0').slice(0, -1)).toEqual(words)
})

const own = {
  count: { type: 'integer' },
  size: { enum: [1, '2', 3] },
  sharp: { type: 'boolean' },
  list: { type: 'array' },
  either: { anyOf: [{ type: 'number' }, { type: 'string' }] },
}
const variant = (modelId: string, properties: object) => ({ modelId, axes: { version: modelId }, parameters: { properties } })
const family = {
  variants: [variant('draft', { seed: { type: 'string' } }), variant('pro', { ...own, seed: { type: 'integer' } })],
  parameters: { properties: {} },
} as unknown as Family

test.for<[string, string, unknown]>([
  ['count', '-12', -12],
  ['count', 'twelve', 'twelve'],
  ['count', '123456789012345678901', '123456789012345678901'],
  ['count', '1e999', '1e999'],
  ['size', '3', 3],
  ['size', '2', '2'],
  ['sharp', 'true', true],
  ['sharp', 'yes', 'yes'],
  ['list', '[1]', [1]],
  ['list', '[1', '[1'],
  ['either', '0.5', 0.5],
  ['either', 'x', 'x'],
  ['seed', '7', 7],
  ['unknown', '7', '7'],
  ['__proto__', '7', '7'],
])('-p %s=%s gets the type of the chosen variant', ([name, text, value]) => {
  expect(typedParameter(family, { modelId: undefined, axes: { version: 'pro' } }, name, text)).toEqual(value)
})
