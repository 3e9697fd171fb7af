import { expect, test } from 'vitest'
import type { Json } from '../../../../src/contract/json.ts'
import { openaiFailure } from '../../../../src/providers/vendors/openai/openaiFailures.ts'
import { aProviderContext } from '../../../support/generations/providerContext.ts'
import { sampleFile } from '../../../support/media/sampleFile.ts'
import { catalogJob } from '../../catalogJob.ts'
import { input } from '../../sandbox/sandboxJobs.ts'

const spoken = await catalogJob('openai', 'openai-speech.text-to-speech.mini', { prompt: 'Good evening.' })
const edited = await catalogJob('openai', 'openai-gpt-image-2.image-to-image.low', { inputs: [input(await sampleFile('png'))] })

function failureOf(error: { [key: string]: Json }, spec = spoken) {
  const said = { type: 'invalid_request_error', param: null, code: null, ...error }
  return openaiFailure(said, { status: 400, spec, log: aProviderContext().context.log })?.failure
}

const ofSpeech = (field: string, most: number) =>
  `[{'type': 'string_too_long', 'loc': ('body', '${field}'), 'msg': 'String should have at most ${most} characters', 'input': 'Good evening.', 'ctx': {'max_length': ${most}}}]`

test.each<[string, { [key: string]: Json }, number | undefined]>([
  ['speech, which names neither a code nor a field', { message: ofSpeech('input', 1024) }, 1024],
  [
    'a field',
    {
      message: "Invalid 'input': string too long. Expected a string with maximum length 1,024, but got a string with length 4000 instead.",
      param: 'input',
      code: 'string_above_max_length',
    },
    1024,
  ],
  ['tokens, which are not characters', { message: 'The input exceeds the maximum of 2000 tokens.' }, undefined],
])('a prompt that is too long by %s is reported with the limit of OpenAI, not of the catalog', (_what, error, most) => {
  const details = { actualLength: 13, ...(most === undefined ? {} : { maxLength: most }) }
  expect(failureOf(error)).toEqual({ code: 'prompt_validation', reason: 'prompt_too_long', details })
})

test('another field that is too long is not a prompt failure', () => {
  expect(failureOf({ message: ofSpeech('instructions', 9) })).toBeUndefined()
  const error = { message: "Invalid 'user': string too long.", param: 'user', code: 'string_above_max_length' }
  expect(failureOf(error)).toEqual({ code: 'parameter_validation', reason: 'parameter_rejected' })
})

test("a caller's image with refused content is an input failure", () => {
  const error = { message: 'The image was refused.', type: 'image_generation_user_error', code: 'image_content_policy_violation' }
  expect(failureOf(error, edited)).toEqual({ code: 'content_policy', reason: 'input_rejected' })
})
