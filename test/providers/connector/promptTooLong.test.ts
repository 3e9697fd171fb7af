import { expect, test } from 'vitest'
import { vendorPromptTooLong } from '../../../src/providers/connector/promptTooLong.ts'

const limitOf = (words: string) => vendorPromptTooLong('a boat', words).details?.['maxLength']

test.each([
  ['String should have at most 4096 characters', 4096],
  ["Invalid 'prompt': string too long. Expected a string with maximum length 32,000, but got 40000 instead.", 32_000],
  ["This request's text has 10001 characters and exceeds the character limit of 10000.", 10_000],
  ['The maximum text length that this model supports is 5000 characters.', 5000],
  ['String length must be less than or equal to 10', 10],
])('the failure has the limit from %j', (words, limit) => {
  expect(limitOf(words)).toBe(limit)
})

test.each([
  'The input token count (70000) exceeds the maximum number of tokens allowed (65536).',
  'The prompt exceeds the maximum of 2000 tokens.',
  'The prompt is limited to a maximum of 500 words.',
  'Your prompt is too long.',
])('the failure has no limit, since %j has none in characters', (words) => {
  expect(limitOf(words)).toBeUndefined()
  expect(vendorPromptTooLong('a boat', words).details).toEqual({ actualLength: 6 })
})
