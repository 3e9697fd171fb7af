import { afterAll, expect, test } from 'vitest'
import { falError, falFailure } from '../../../../src/providers/vendors/fal/falFailures.ts'
import { fal } from '../../../../src/providers/vendors/fal/index.ts'
import { aProviderContext } from '../../../support/generations/providerContext.ts'
import { sampleFile } from '../../../support/media/sampleFile.ts'
import { falUnderTest, startFal } from '../../../support/vendors/fal.ts'
import { failuresOfFal } from '../../../support/vendors/falErrors.ts'
import { anInput, familiesOf, jobFor, outputRules } from '../../../support/vendors/vendorJobs.ts'

const fake = await startFal()
afterAll(fake.close)
const provider = fal.make({ url: fake.url, key: falUnderTest.key, outputs: outputRules })
const families = await familiesOf('fal')
const spec = jobFor(families.get('fal-flux-kontext-pro'), { prompt: 'a secret plan', inputs: [anInput(await sampleFile('png'))] })

async function outcome(failure: string) {
  fake.behave({ kind: 'fails', failure })
  const told = aProviderContext()
  const submitted = await provider.submit(spec, told.context)
  const poll = submitted.kind === 'job' ? await provider.poll(submitted.handle, spec, told.context) : submitted
  return { ...told, poll }
}

test.each(failuresOfFal)('the error of fal for %s maps to that failure, and its text is logged', async (name) => {
  const { poll, warnings } = await outcome(name)
  if (!('failure' in poll)) throw new Error(JSON.stringify(poll))

  expect(`${poll.failure.code}/${poll.failure.reason}`).toBe(name)
  expect(Object.values(poll.failure.details ?? {}).every((value) => typeof value === 'number')).toBe(true)
  expect(warnings).toHaveLength(1)
  expect(JSON.stringify(warnings)).not.toMatch(/a secret plan|unsaid|fal-key-id/)
})

const map = { prompt: 'prompt', inputs: { imageIds: { list: 'image_urls' } } }
function failureOf(detail: object, status = 422) {
  return falFailure(falError({ status, headers: {}, body: { detail: [{ msg: '', ...detail }] } }), { spec, map })
}

test('the failure contains the numbers of the limit', () => {
  expect(failureOf({ type: 'string_too_long', loc: ['body', 'prompt'], ctx: { max_length: 5 } })).toEqual({
    code: 'prompt_validation',
    reason: 'prompt_too_long',
    details: { maxLength: 5, actualLength: 13 },
  })
  expect(
    failureOf({ type: 'video_duration_too_long', loc: ['body', 'video_url'], ctx: { max_duration: 60, provided_duration: 61 } }),
  ).toEqual({
    code: 'parameter_validation',
    reason: 'input_rejected_by_model',
    details: { maxDurationSeconds: 60, actualDurationSeconds: 61 },
  })
})

test.each([
  [{ type: 'string_too_long', loc: ['body', 'negative_prompt'], ctx: { max_length: 5 } }, 'parameter_validation/parameter_rejected'],
  [{ type: 'one_of', loc: ['body', 'image_size'], ctx: { expected: ['square'] } }, 'parameter_validation/parameter_rejected'],
  [{ type: 'url_parsing', loc: ['body', 'image_urls', 0] }, 'parameter_validation/input_rejected_by_model'],
  [{ type: 'content_policy_violation', loc: ['body', 'image_urls', 0] }, 'content_policy/input_rejected'],
  [{ type: 'content_policy_violation', loc: ['body'] }, 'content_policy/prompt_rejected'],
  [{ type: 'content_policy_violation', loc: ['body', 'prompt'] }, 'content_policy/prompt_rejected'],
  [{ type: 'content_policy_violation', loc: ['body', 'image_url'] }, 'content_policy/input_rejected'],
  [{ type: 'content_policy_violation', loc: ['image_urls', 0] }, 'content_policy/input_rejected'],
  [{ type: 'content_policy_violation', loc: ['body'], msg: 'The input image was flagged.' }, 'content_policy/input_rejected'],
  [{ type: 'no_media_generated', loc: ['body'] }, 'prompt_validation/prompt_images_failed'],
  [{ type: 'constructor', loc: ['body'] }, 'parameter_validation/parameter_rejected'],
])('%j is %s', (detail, name) => {
  const failure = failureOf(detail)
  expect(`${failure?.code}/${failure?.reason}`).toBe(name)
})

test('of several errors the content error decides', () => {
  const detail = [
    { type: 'value_error', loc: ['body', 'prompt'], msg: '' },
    { type: 'content_policy_violation', loc: ['body', 'prompt'], msg: '' },
  ]
  expect(falFailure(falError({ status: 422, headers: {}, body: { detail } }), { spec, map })).toMatchObject({ code: 'content_policy' })
})

test('of content errors about prompt and picture, the one about the picture decides', () => {
  const detail = ['prompt', 'image_url'].map((field) => ({ type: 'content_policy_violation', loc: ['body', field], msg: '' }))
  const failure = falFailure(falError({ status: 422, headers: {}, body: { detail } }), { spec, map })
  expect(failure).toEqual({ code: 'content_policy', reason: 'input_rejected' })
})

test('a content refusal only in the text is not a parameter failure', () => {
  const body = { detail: 'The provided image was flagged by a content checker.' }
  const failure = falFailure(falError({ status: 422, headers: {}, body }), { spec, map })
  expect(failure).toEqual({ code: 'content_policy', reason: 'input_rejected' })
})

test('a limit that is only in the text is included', () => {
  const detail = { type: 'string_too_long', loc: ['body', 'prompt'], msg: 'String should have at most 2,500 characters' }
  expect(failureOf(detail)?.details).toEqual({ maxLength: 2500, actualLength: 13 })
})

test('a picture that the model withheld is not a result', async () => {
  const withheld = { ...spec, settings: { ...spec.settings, withheld: 'withheld.*' } }
  fake.shapes.image = (images) => ({ images, withheld: images.map(() => true) })
  fake.behave({ kind: 'well' })
  const { context } = aProviderContext()
  const submitted = await provider.submit(withheld, context)
  if (submitted.kind !== 'job') throw new Error(submitted.kind)

  expect(await provider.poll(submitted.handle, withheld, context)).toEqual({
    state: 'failed',
    failure: { code: 'content_policy', reason: 'output_rejected' },
  })
})
