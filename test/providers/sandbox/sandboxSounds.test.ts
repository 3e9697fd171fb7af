import { ALL_FORMATS, BufferSource, Input } from 'mediabunny'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { JobSpec } from '../../../src/providers/provider.ts'
import { job, openSandbox, render } from './sandboxJobs.ts'

let opened: Awaited<ReturnType<typeof openSandbox>>
beforeAll(async () => {
  opened = await openSandbox()
})
afterAll(() => opened.close())

const sound = (parts: Partial<JobSpec> = {}) =>
  render(
    opened.sandbox,
    job({ familyId: 'sandbox-audio', task: 'text-to-speech', outputType: 'audio', prompt: 'Good morning, everyone.', ...parts }),
  )

async function describe(bytes: Buffer) {
  const file = new Input({ source: new BufferSource(new Uint8Array(bytes)), formats: ALL_FORMATS })
  const track = await file.getPrimaryAudioTrack()
  if (!track) throw new Error('no sound')
  return {
    format: (await file.getFormat()).name,
    codec: await track.getCodec(),
    rate: await track.getSampleRate(),
    channels: await track.getNumberOfChannels(),
    seconds: await file.computeDuration(),
  }
}

/** The samples of a mono WAV file of the sandbox. */
function samplesOf(wav: Buffer): Int16Array {
  return Int16Array.from({ length: (wav.length - 44) / 2 }, (_, index) => wav.readInt16LE(44 + index * 2))
}

function loudness(samples: Int16Array): number {
  return Math.sqrt(samples.reduce((sum, sample) => sum + sample ** 2, 0) / samples.length)
}

test.each([
  ['mp3', 'audio/mpeg', 'MP3', 'mp3'],
  ['wav', 'audio/wav', 'WAVE', 'pcm-s16'],
  ['m4a', 'audio/mp4', 'MP4', 'aac'],
  ['ogg', 'audio/ogg', 'Ogg', 'vorbis'],
])(
  'speech as %s has the format and the same length as the others, and the same bytes each time',
  async (outputFormat, mimeType, format, codec) => {
    const first = await sound({ parameters: { outputFormat } })
    expect(first.mimeType).toBe(mimeType)
    const described = await describe(first.bytes)
    expect(described).toMatchObject({ format, codec, rate: 16_000, channels: 1 })
    const reference = await describe((await sound({ parameters: { outputFormat: 'wav' } })).bytes)
    expect(Math.abs(described.seconds - reference.seconds)).toBeLessThan(0.15)
    expect((await sound({ parameters: { outputFormat }, idempotencyKey: 'another attempt' })).bytes.equals(first.bytes)).toBe(true)
  },
)

test('speech is an MP3 by default', async () => {
  expect((await sound({ parameters: {} })).mimeType).toBe('audio/mpeg')
})

test.each(['mp3', 'wav', 'm4a', 'ogg'])('the studio tier is 48 kHz stereo as %s, with the same bytes each time', async (outputFormat) => {
  const [first, second] = [
    await sound({ axes: { tier: 'studio' }, parameters: { outputFormat } }),
    await sound({ axes: { tier: 'studio' }, parameters: { outputFormat } }),
  ]
  expect(await describe(first.bytes)).toMatchObject({ rate: 48_000, channels: 2 })
  expect(first.bytes.equals(second.bytes)).toBe(true)
})

test('other words sound different, and more words are longer', async () => {
  const wav = async (prompt: string) => samplesOf((await sound({ prompt, parameters: { outputFormat: 'wav' } })).bytes)
  const [short, other, long] = [
    await wav('Good morning.'),
    await wav('Good evening.'),
    await wav('Good morning to all of you who have come so far today.'),
  ]
  expect(Buffer.from(short.buffer).equals(Buffer.from(other.buffer))).toBe(false)
  expect(long.length).toBeGreaterThan(short.length * 2)
  for (const samples of [short, other, long]) expect(loudness(samples)).toBeGreaterThan(500)
})

test('words with the same pronunciation sound the same', async () => {
  const wav = async (prompt: string) => (await sound({ prompt, parameters: { outputFormat: 'wav' } })).bytes
  expect((await wav('I have 2 cats')).equals(await wav('I have two cats'))).toBe(true)
})

test.each(['Доброе утро, мир', '早上好', '12', '!!!', ' '])(
  '%j has too few Latin letters for speech and becomes its own tune',
  async (prompt) => {
    const samples = samplesOf((await sound({ prompt, parameters: { seed: 1, outputFormat: 'wav' } })).bytes)
    expect(samples.length).toBeGreaterThanOrEqual(16_000)
    expect(loudness(samples)).toBeGreaterThan(500)
    const again = samplesOf((await sound({ prompt, parameters: { seed: 1, outputFormat: 'wav' }, idempotencyKey: 'x' })).bytes)
    expect(again).toEqual(samples)
  },
)

test.each([
  ['prose', 'The quick brown fox jumps over the lazy dog. '.repeat(111)],
  ['digits with long pronunciations', '999999999 ab '.repeat(380)],
  ['one endless word', 'a'.repeat(5000)],
])('5,000 characters of %s end after a minute', async (_, prompt) => {
  const { seconds } = await describe((await sound({ prompt, parameters: { outputFormat: 'wav' } })).bytes)
  expect(seconds).toBeGreaterThan(20)
  expect(seconds).toBeLessThanOrEqual(60)
})

test('markup, quotes and control characters are spoken or skipped without an error', async () => {
  const { bytes } = await sound({
    prompt: '<speak>& "quoted" \\ \u0001 %s $HOME `id` -o /etc/passwd — naïve café</speak>',
    parameters: { outputFormat: 'wav' },
  })
  expect(loudness(samplesOf(bytes))).toBeGreaterThan(500)
})
