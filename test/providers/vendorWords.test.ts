import { expect, test } from 'vitest'
import { vendorWords } from '../../src/providers/vendorWords.ts'

test('what a vendor said is kept short, and never repeats the prompt', () => {
  expect(vendorWords('bad: a secret plan (a secret plan)', { prompt: 'a secret plan' })).toBe('bad: [prompt] ([prompt])')
  expect(vendorWords('x'.repeat(600), { prompt: null })).toHaveLength(501)
  expect(vendorWords('as it is', { prompt: ' ' })).toBe('as it is')
})
