import { expect, test } from 'vitest'
import { redactVendorFields, redactVendorText } from '../../../src/providers/connector/redactVendorText.ts'

test('what a vendor said is kept short, and never repeats the prompt', () => {
  expect(redactVendorText('bad: a secret plan (a secret plan)', { prompt: 'a secret plan' })).toBe('bad: [prompt] ([prompt])')
  expect(redactVendorText('x'.repeat(600), { prompt: null })).toHaveLength(501)
  expect(redactVendorText('as it is', { prompt: ' ' })).toBe('as it is')
})

test('a part of the prompt is no more repeated than the whole, nor as JSON writes it', () => {
  const prompt = 'the "moon" rises\nover a village that nobody remembers'
  expect(redactVendorText('flagged: "rises\nover a village that nobody…"', { prompt })).toBe('flagged: "[prompt]…"')
  expect(redactVendorText(`in ${JSON.stringify({ prompt })}`, { prompt })).toBe('in {"prompt":"[prompt]"}')
  expect(redactVendorText(`${'.'.repeat(1990)}${prompt}`, { prompt })).not.toContain('moon')
})

test('texts among the parameters are left out as well, words of the catalog are not', () => {
  const written = { prompt: null, parameters: { quality: 'high', lines: [{ text: 'what nobody else should ever read' }] } }
  expect(redactVendorText('high quality, and what nobody else should', written)).toBe('high quality, and [parameter]')
})

test('whatever a field is called and however deep it stands, it is told without what the caller wrote', () => {
  const fields = { status: 400, param: 'a secret plan', nodes: [{ words: 'not a secret plan' }] }
  expect(redactVendorFields(fields, { prompt: 'a secret plan' })).toEqual({
    status: 400,
    param: '[prompt]',
    nodes: [{ words: 'not [prompt]' }],
  })
})
