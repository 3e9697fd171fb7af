import { expect, onTestFinished, test } from 'vitest'
import type { JobSpec } from '../../../../src/providers/provider.ts'
import { elevenlabs } from '../../../../src/providers/vendors/elevenlabs/index.ts'
import type { Behaviour } from '../../../support/conformance/vendorUnderTest.ts'
import { aProviderContext } from '../../../support/generations/providerContext.ts'
import { sampleFile } from '../../../support/media/sampleFile.ts'
import { elevenlabsUnderTest } from '../../../support/vendors/elevenlabs.ts'
import { elevenlabsErrors } from '../../../support/vendors/elevenlabsErrors.ts'
import { json, startFakeServer } from '../../../support/vendors/fakeServer.ts'
import { catalogJob } from '../../catalogJob.ts'
import { providerAt } from '../../providerAt.ts'

const prompt = 'a boat at dusk'
const spoken = (parts = {}) => catalogJob('elevenlabs', 'elevenlabs-speech.text-to-speech.v4', { prompt, ...parts })

async function submitTo(behaviour: Behaviour, spec: JobSpec) {
  const fake = await elevenlabsUnderTest.startFake()
  onTestFinished(() => fake.close())
  fake.behave(behaviour)
  const { context, kept, warnings } = aProviderContext()
  const submitted = await providerAt(elevenlabsUnderTest, fake.url).submit(spec, context)
  return { submitted, kept, warnings, accepted: fake.accepted.map(({ body }) => body) }
}

test('speech is staged while it streams, with the requested voice, and its credits are converted to dollars', async () => {
  const parameters = { voice: 'George', outputFormat: 'ogg', stability: 0.4, speed: 0.9, languageCode: 'de', seed: 7 }
  const { submitted, kept, accepted } = await submitTo({ kind: 'well' }, await spoken({ parameters }))

  expect(kept).toEqual([{ bytes: await sampleFile('ogg'), mimeType: 'audio/opus' }])
  expect(submitted).toMatchObject({ kind: 'done', outputs: [{ kept: true }], cost: { quantity: 14, unit: 'credits' } })
  expect(submitted).toHaveProperty('cost.usd', expect.closeTo(0.0014, 9))
  expect(accepted).toEqual([
    {
      endpoint: 'text-to-speech',
      voice: 'JBFqnCBsd6RMkjVDRZzb',
      format: 'opus_48000_128',
      model_id: 'eleven_v4',
      text: prompt,
      voice_settings: { stability: 0.4, speed: 0.9 },
      language_code: 'de',
      seed: 7,
    },
  ])
})

test.each(['v4', 'multilingual', 'flash'])('every speech format of %s is supported by ElevenLabs', async (version) => {
  for (const outputFormat of ['mp3', 'ogg', 'wav'] as const) {
    const spec = await catalogJob('elevenlabs', `elevenlabs-speech.text-to-speech.${version}`, { prompt, parameters: { outputFormat } })
    expect((await submitTo({ kind: 'well' }, spec)).kept).toMatchObject([{ bytes: await sampleFile(outputFormat) }])
  }
})

test('sound effects and music are requested at their own endpoints, in ElevenLabs units', async () => {
  const effect = await catalogJob('elevenlabs', 'elevenlabs-sound-effects.text-to-audio', { prompt, parameters: { durationSeconds: 2.5 } })
  const music = await catalogJob('elevenlabs', 'elevenlabs-music.text-to-music', { prompt, parameters: { instrumental: true } })
  const accepted = [...(await submitTo({ kind: 'well' }, effect)).accepted, ...(await submitTo({ kind: 'well' }, music)).accepted]

  expect(accepted).toMatchObject([
    { endpoint: 'sound-generation', text: prompt, duration_seconds: 2.5, loop: false, prompt_influence: 0.3, format: 'mp3_44100_128' },
    { endpoint: 'music', prompt, music_length_ms: 60_000, force_instrumental: true, model_id: 'music_v2_5', format: 'auto' },
  ])
})

test.each(Object.keys(elevenlabsErrors))('the error of ElevenLabs maps to %s, and nothing is staged', async (name) => {
  const { submitted, accepted, warnings } = await submitTo({ kind: 'fails', failure: name }, await spoken())
  const [code, reason] = name.split('/')
  expect(submitted).toMatchObject({ kind: 'failed', failure: { code, reason } })
  expect(accepted).toEqual([])
  expect(warnings).toHaveLength(1)
})

test.each([429, 503] as const)('a %i before the work was accepted waits for the given time', async (status) => {
  const { submitted } = await submitTo({ kind: 'busy', status, times: 1, retryAfterSeconds: 7 }, await spoken())
  expect(submitted).toEqual({ kind: 'busy', retryAfterMs: 7_000 })
})

test('a text that is too long is refused before the request, with the limit', async () => {
  const { submitted, accepted } = await submitTo({ kind: 'well' }, await spoken({ prompt: '😀'.repeat(10_001) }))
  const details = { maxLength: 10_000, actualLength: 10_001 }
  expect(submitted).toEqual({ kind: 'failed', failure: { code: 'prompt_validation', reason: 'prompt_too_long', details } })
  expect(accepted).toEqual([])
})

test('JSON instead of audio is not a result, and a missing cost stays absent', async () => {
  const mp3 = await sampleFile('mp3')
  const answers = [() => json, () => undefined]
  const server = await startFakeServer(async (exchange) => {
    if (answers.shift()?.()) return json(exchange, 200, { message: 'queued' })
    exchange.response.writeHead(200, { 'content-type': 'application/octet-stream' }).end(mp3)
  })
  onTestFinished(() => server.close())
  const provider = providerAt(elevenlabsUnderTest, server.url)
  const { context, kept } = aProviderContext()
  expect(await provider.submit(await spoken(), context)).toMatchObject({ kind: 'failed', failure: { reason: 'provider_failed' } })
  expect(await provider.submit(await spoken(), context)).toEqual({ kind: 'done', outputs: [expect.objectContaining({ kept: true })] })
  expect(kept).toEqual([{ bytes: mp3, mimeType: 'audio/mpeg' }])
})

test.each([
  [200, [], { ok: true }],
  [401, { detail: { status: 'invalid_api_key' } }, { ok: false, message: 'rejects ELEVENLABS_API_KEY' }],
  [401, { detail: { status: 'missing_permissions' } }, { ok: true, message: expect.stringContaining('may not list models') }],
  [502, {}, { ok: false, message: 'answers with 502' }],
])('health maps the answer %i with %j to the list of models to %j', async (status, body, health) => {
  const server = await startFakeServer(async (exchange) => json(exchange, status, body))
  onTestFinished(() => server.close())
  expect(await providerAt(elevenlabsUnderTest, server.url).health?.(aProviderContext().context)).toEqual(health)
})

test('invalid settings are an error at the start', () => {
  const none = { min: 0, max: 0 }
  const inputs = { prompt: { required: true, maxLength: null }, images: none, videos: none, audios: none, models3d: none }
  const model = { modelId: 'kite', tasks: [], axes: {}, parameterNames: [], inputs }
  const check = (settings: object, outputType: 'audio' | 'video' = 'audio') =>
    elevenlabs.check({ ...model, outputType, provider: { settings: settings as Record<string, string> } }).map(({ reason }) => reason)

  const speech = { endpoint: 'text-to-speech', model: 'eleven_v9', prompt: 'text' }
  expect(check({ ...speech, fixed: { voice_id: 'abc' } })).toEqual([])
  expect(check(speech)).toEqual(['must set the voice with the place voice_id'])
  expect(check({ endpoint: 'music', model: 'music_v9', prompt: 'prompt' }, 'video')).toEqual(['cannot make video'])
  expect(check({ endpoint: 'choir', model: 'music_v9', prompt: 'prompt' })).toHaveLength(1)
})
