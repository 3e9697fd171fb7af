import { afterAll, expect, test } from 'vitest'
import { replicate } from '../../../../src/providers/vendors/replicate/index.ts'
import { predictionFailure } from '../../../../src/providers/vendors/replicate/replicateFailures.ts'
import { aProviderContext } from '../../../support/generations/providerContext.ts'
import { sampleFile } from '../../../support/media/sampleFile.ts'
import { replicateUnderTest, startReplicate } from '../../../support/vendors/replicate.ts'
import { failuresOfReplicate } from '../../../support/vendors/replicateErrors.ts'
import { anInput, familiesOf, jobFor, outputRules } from '../../../support/vendors/vendorJobs.ts'

const fake = await startReplicate()
afterAll(fake.close)
const provider = replicate.make({ url: fake.url, key: replicateUnderTest.key, outputs: outputRules })
const families = await familiesOf('replicate')
const spec = jobFor(families.get('replicate-flux-kontext-pro'), { prompt: 'a secret plan', inputs: [anInput(await sampleFile('png'))] })

async function outcome(failure: string) {
  fake.behave({ kind: 'fails', failure })
  const told = aProviderContext()
  const submitted = await provider.submit(spec, told.context)
  const poll = submitted.kind === 'job' ? await provider.poll(submitted.handle, spec, told.context) : submitted
  return { ...told, poll }
}

test.each(failuresOfReplicate)('the error of Replicate for %s maps to that failure, and its text is logged', async (name) => {
  const { poll, warnings } = await outcome(name)
  if (!('failure' in poll)) throw new Error(JSON.stringify(poll))

  expect(`${poll.failure.code}/${poll.failure.reason}`).toBe(name)
  expect(warnings).toHaveLength(1)
  expect(warnings[0]?.fields['words']).not.toBe('')
  expect(JSON.stringify(warnings)).not.toMatch(/a secret plan|r8_/)
})

test('the failure contains the numbers of the limit', async () => {
  const { poll } = await outcome('prompt_validation/prompt_too_long')
  expect(poll).toMatchObject({ failure: { details: { maxLength: 10, actualLength: 13 } } })
})

const asked = { spec, map: { prompt: 'prompt', inputs: {} } }
test.each([
  ['Service is temporarily unavailable. Please try again later. (E004)', 'model_unavailable/model_offline'],
  ['Invalid input (E006)', 'parameter_validation/parameter_rejected'],
  ['Director: unexpected error handling prediction (E9243)', 'provider_error/provider_failed'],
  ['CUDA out of memory. Tried to allocate 2.50 GiB', 'provider_error/provider_failed'],
  ['Failed to download input file from https://example.com', 'parameter_validation/input_rejected_by_model'],
  ['The prompt is too long for this model', 'prompt_validation/prompt_too_long'],
  ['', 'internal_error/unclassified'],
])('%j is %s', (words, name) => {
  const failure = predictionFailure(words, asked)
  expect(`${failure.code}/${failure.reason}`).toBe(name)
})

test('a content flag on work without a prompt is about an input', () => {
  const failure = predictionFailure('flagged as sensitive (E005)', { ...asked, spec: { ...spec, prompt: null } })
  expect(failure).toEqual({ code: 'content_policy', reason: 'input_rejected' })
})
