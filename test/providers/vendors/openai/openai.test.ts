import { expect, test } from 'vitest'
import { openai } from '../../../../src/providers/vendors/openai/index.ts'
import { sampleFile } from '../../../support/media/sampleFile.ts'
import { openaiErrors } from '../../../support/vendors/openaiErrors.ts'
import { catalogJob } from '../../catalogJob.ts'
import { input } from '../../sandbox/sandboxJobs.ts'
import { submitTo } from './openaiJobs.ts'

const drawn = (parts = {}) => catalogJob('openai', 'openai-gpt-image-2.text-to-image.low', { prompt: 'a boat at dusk', ...parts })
const edited = (parts = {}) => catalogJob('openai', 'openai-gpt-image-2.image-to-image.high', { prompt: 'at night', ...parts })
const spoken = (parts = {}) => catalogJob('openai', 'openai-speech.text-to-speech.mini', { prompt: 'Good evening.', ...parts })

test('an image is staged while it streams, and its tokens are converted to dollars', async () => {
  const { submitted, kept, fake } = await submitTo({ kind: 'well' }, await drawn({ parameters: { outputFormat: 'webp', compression: 80 } }))

  expect(kept).toEqual([{ bytes: await sampleFile('webp'), mimeType: 'image/webp' }])
  expect(submitted).toMatchObject({ kind: 'done', outputs: [{ kept: true }], cost: { quantity: 1_806, unit: 'tokens' } })
  // 50 text tokens at 5 dollars per million, 1,756 image tokens at 30.
  expect(submitted).toHaveProperty('cost.usd', expect.closeTo(0.05293, 9))
  expect(fake.accepted.map(({ body }) => body)).toEqual([
    {
      model: 'gpt-image-2',
      prompt: 'a boat at dusk',
      quality: 'low',
      size: '1024x1024',
      output_format: 'webp',
      output_compression: 80,
      background: 'auto',
      moderation: 'auto',
    },
  ])
})

test.each([
  { count: 1, name: 'image' },
  { count: 3, name: 'image[]' },
])('$count images are sent unchanged in an edit, with the field name $name', async ({ count, name }) => {
  const bytes = await Promise.all((['png', 'jpeg', 'webp'] as const).slice(0, count).map((format) => sampleFile(format)))
  const inputs = bytes.map((each, at) => input(each, { mimeType: ['image/png', 'image/jpeg', 'image/webp'][at] ?? '' }))

  const { submitted, fake } = await submitTo({ kind: 'well' }, await edited({ inputs, parameters: { size: '1024x1536' } }))

  expect(submitted).toMatchObject({ kind: 'done', cost: { usd: expect.closeTo(0.05573, 9) } })
  const files = bytes.map((each, at) => ({
    type: ['image/png', 'image/jpeg', 'image/webp'][at],
    name: `${at + 1}.${['png', 'jpeg', 'webp'][at]}`,
    bytes: new Uint8Array(each),
  }))
  expect(fake.accepted[0]?.body).toEqual({
    model: 'gpt-image-2',
    prompt: 'at night',
    quality: 'high',
    size: '1024x1536',
    output_format: 'png',
    background: 'auto',
    [name]: count === 1 ? files[0] : files,
  })
})

test('speech is staged while it streams, in the requested format', async () => {
  const spec = await spoken({ parameters: { outputFormat: 'ogg', voice: 'cedar', instructions: 'Whisper.' } })
  const { submitted, kept, fake } = await submitTo({ kind: 'well' }, spec)

  expect(submitted).toEqual({ kind: 'done', outputs: [expect.objectContaining({ kept: true })] })
  expect(kept).toEqual([{ bytes: await sampleFile('ogg'), mimeType: 'audio/ogg' }])
  expect(fake.accepted[0]?.body).toEqual({
    model: 'gpt-4o-mini-tts',
    input: 'Good evening.',
    voice: 'cedar',
    response_format: 'opus',
    speed: 1,
    instructions: 'Whisper.',
  })
})

test('speech billed by characters has a cost in dollars, although the answer reports none', async () => {
  const spec = await catalogJob('openai', 'openai-speech.text-to-speech.hd', { prompt: 'Guten Tag, 😀' })
  const { submitted } = await submitTo({ kind: 'well' }, spec)
  expect(submitted).toMatchObject({ cost: { usd: expect.closeTo(0.00036, 9), quantity: 12, unit: 'characters' } })
})

test.each(Object.keys(openaiErrors))('the error of OpenAI maps to %s, and nothing is staged', async (name) => {
  const { submitted, fake, warnings } = await submitTo({ kind: 'fails', failure: name }, await drawn())
  const [code, reason] = name.split('/')

  expect(submitted).toMatchObject({ kind: 'failed', failure: { code, reason } })
  expect(fake.accepted).toEqual([])
  expect(warnings).toHaveLength(1)
  expect(warnings[0]?.fields).toMatchObject({ status: openaiErrors[name]?.status, words: openaiErrors[name]?.message })
})

test.each([429, 503] as const)('a %i before the work was accepted waits for the given time', async (status) => {
  const { submitted } = await submitTo({ kind: 'busy', status, times: 1, retryAfterSeconds: 7 }, await drawn())
  expect(submitted).toEqual({ kind: 'busy', retryAfterMs: 7_000 })
})

test('of several outputs the first matching one is staged, and the others are logged', async () => {
  const { submitted, kept, warnings } = await submitTo({ kind: 'several' }, await drawn())
  expect(submitted).toMatchObject({ kind: 'done', outputs: [{ kept: true }] })
  expect(kept).toEqual([{ bytes: await sampleFile('png'), mimeType: 'image/png' }])
  expect(warnings.map(({ fields }) => fields)).toEqual([{ left: 2 }])
})

test('an answer without a matching file is not a result', async () => {
  const { submitted, kept } = await submitTo({ kind: 'wrong_media' }, await drawn())
  expect(submitted).toEqual({ kind: 'failed', failure: { code: 'provider_error', reason: 'provider_failed' } })
  expect(kept).toEqual([])
})

test("a request above the model's limits is refused before it is sent, with the limits", async () => {
  const { submitted, fake } = await submitTo({ kind: 'well' }, await spoken({ prompt: '😀'.repeat(4_097) }))
  const failure = { code: 'prompt_validation', reason: 'prompt_too_long', details: { maxLength: 4_096, actualLength: 4_097 } }
  expect(submitted).toEqual({ kind: 'failed', failure })
  const gif = input(await sampleFile('gif'), { mimeType: 'image/gif' })
  const unfit = await submitTo({ kind: 'well' }, await edited({ inputs: [gif] }))
  expect(unfit.submitted).toEqual({ kind: 'failed', failure: { code: 'image_format', reason: 'image_unreadable' } })
  expect([...fake.accepted, ...unfit.fake.accepted]).toEqual([])
})

test('invalid settings are an error at the start', () => {
  const none = { min: 0, max: 0 }
  const model = { modelId: 'kite', tasks: [], axes: {}, parameterNames: [], outputType: 'image' as const }
  const inputs = { prompt: { required: true, maxLength: null }, images: none, videos: none, audios: none, models3d: none }
  const check = (settings: object, parts = {}) =>
    openai.check({ ...model, inputs, ...parts, provider: { settings: settings as Record<string, string> } }).map(({ path }) => path)

  expect(check({ model: 'gpt-image-9', prompt: 'prompt' })).toEqual([])
  expect(check({ prompt: 'prompt', temper: 'mild' })).toEqual(['model', ''])
  expect(check({ model: 'gpt-image-9' })).toEqual(['prompt'])
  expect(check({ model: 'sora', prompt: 'prompt' }, { outputType: 'video' })).toEqual([''])
  expect(check({ model: 'tts', prompt: 'input' }, { outputType: 'audio', inputs: { ...inputs, videos: { min: 0, max: 1 } } })).toEqual([
    'inputs.videoIds',
    'inputs',
  ])
})
