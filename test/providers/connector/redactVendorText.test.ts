import { expect, test } from 'vitest'
import { redactVendorFields, redactVendorText } from '../../../src/providers/connector/redactVendorText.ts'

test('a message of a vendor is shortened and does not contain the prompt', () => {
  expect(redactVendorText('bad: a secret plan (a secret plan)', { prompt: 'a secret plan' })).toBe('bad: [prompt] ([prompt])')
  expect(redactVendorText('x'.repeat(600), { prompt: null })).toHaveLength(501)
  expect(redactVendorText('as it is', { prompt: ' ' })).toBe('as it is')
})

test('a part of the prompt is redacted, also when it is escaped as in JSON', () => {
  const prompt = 'the "moon" rises\nover a village that nobody remembers'
  expect(redactVendorText('flagged: "rises\nover a village that nobody…"', { prompt })).toBe('flagged: "[prompt]…"')
  expect(redactVendorText(`in ${JSON.stringify({ prompt })}`, { prompt })).toBe('in {"prompt":"[prompt]"}')
  expect(redactVendorText(`${'.'.repeat(1990)}${prompt}`, { prompt })).not.toContain('moon')
})

test('texts of parameters are redacted, words of the catalog are not', () => {
  const written = { prompt: null, parameters: { quality: 'high', lines: [{ text: 'what nobody else should ever read' }] } }
  expect(redactVendorText('high quality, and what nobody else should', written)).toBe('high quality, and [parameter]')
})

test('fields of any name and depth are redacted', () => {
  const fields = { status: 400, param: 'a secret plan', nodes: [{ words: 'not a secret plan' }] }
  expect(redactVendorFields(fields, { prompt: 'a secret plan' })).toEqual({
    status: 400,
    param: '[prompt]',
    nodes: [{ words: 'not [prompt]' }],
  })
})
