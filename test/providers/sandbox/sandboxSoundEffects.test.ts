import { ALL_FORMATS, BufferSource, EncodedPacketSink, Input } from 'mediabunny'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { JobSpec } from '../../../src/providers/provider.ts'
import { catalogJob } from '../catalogJob.ts'
import { context, input, job, openSandbox, render } from './sandboxJobs.ts'

let opened: Awaited<ReturnType<typeof openSandbox>>
beforeAll(async () => {
  opened = await openSandbox()
})
afterAll(() => opened.close())

const sound = async (task: string, parts: Partial<JobSpec> = {}) =>
  render(opened.sandbox, await catalogJob('sandbox', `sandbox-sound.${task}`, parts))

async function describe(bytes: Buffer) {
  const file = new Input({ source: new BufferSource(new Uint8Array(bytes)), formats: ALL_FORMATS })
  const track = await file.getPrimaryAudioTrack()
  if (!track) throw new Error('no sound')
  const packets: Buffer[] = []
  for await (const packet of new EncodedPacketSink(track).packets()) packets.push(Buffer.from(packet.data))
  return { format: (await file.getFormat()).name, codec: await track.getCodec(), seconds: await file.computeDuration(), packets }
}

const formats = [
  ['mp3', 'audio/mpeg', 'MP3', 'mp3'],
  ['wav', 'audio/wav', 'WAVE', 'pcm-s16'],
  ['m4a', 'audio/mp4', 'MP4', 'aac'],
  ['ogg', 'audio/ogg', 'Ogg', 'vorbis'],
] as const

test.each(['text-to-audio', 'text-to-music'])('%s has the requested format and length, and is not silent', async (task) => {
  for (const [outputFormat, mimeType, format, codec] of formats) {
    const made = await sound(task, { parameters: { outputFormat, durationSeconds: 2.5 } })
    expect(made.mimeType).toBe(mimeType)
    const described = await describe(made.bytes)
    expect(described).toMatchObject({ format, codec })
    expect(Math.abs(described.seconds - 2.5)).toBeLessThan(0.15)
  }
  const { bytes } = await sound(task, { parameters: { outputFormat: 'wav', durationSeconds: 1 } })
  const samples = Array.from({ length: (bytes.length - 44) / 2 }, (_, index) => bytes.readInt16LE(44 + index * 2))
  expect(Math.sqrt(samples.reduce((sum, sample) => sum + sample ** 2, 0) / samples.length)).toBeGreaterThan(500)
})

test.each(['text-to-audio', 'text-to-music'])('%s is the same for the same seed and another for another prompt', async (task) => {
  const parameters = { outputFormat: 'wav', durationSeconds: 1, seed: 3 }
  const first = await sound(task, { parameters })
  expect((await sound(task, { parameters, idempotencyKey: 'another attempt' })).bytes.equals(first.bytes)).toBe(true)
  expect((await sound(task, { parameters, prompt: 'Rain on a roof' })).bytes.equals(first.bytes)).toBe(false)
  expect((await sound(task, { parameters: { ...parameters, seed: 4 } })).bytes.equals(first.bytes)).toBe(false)
})

test('the longest music ends within the limits', async () => {
  expect((await describe((await sound('text-to-music', { parameters: { durationSeconds: 30 } })).bytes)).seconds).toBeCloseTo(30, 0)
})

test.each(formats.slice(0, 3))('audio-to-audio plays a %s twice, in its own format', async (outputFormat, mimeType, format, codec) => {
  const speech = job({
    familyId: 'sandbox-audio',
    task: 'text-to-speech',
    outputType: 'audio',
    prompt: 'Good morning.',
    parameters: { outputFormat },
  })
  const source = await render(opened.sandbox, speech)
  const inputs = [input(source.bytes, { field: 'audioIds', mimeType })]
  const made = await sound('audio-to-audio', { inputs, prompt: null })
  expect(made.mimeType).toBe(mimeType)
  const [before, after] = [await describe(source.bytes), await describe(made.bytes)]
  expect(after).toMatchObject({ format, codec })
  expect(Math.abs(after.seconds - 2 * before.seconds)).toBeLessThan(0.15)
  const once = Buffer.concat(before.packets)
  expect(Buffer.concat(after.packets).equals(Buffer.concat([once, once]))).toBe(true)
  expect((await sound('audio-to-audio', { inputs, prompt: null })).bytes.equals(made.bytes)).toBe(true)
})

test('audio-to-audio refuses missing, broken and other files as inputs', async () => {
  const failure = { code: 'parameter_validation', reason: 'input_rejected_by_model' }
  const spec = await catalogJob('sandbox', 'sandbox-sound.audio-to-audio', { prompt: null })
  expect(await opened.sandbox.submit(spec, context())).toEqual({ kind: 'failed', failure })
  const ogg = await sound('text-to-audio', { parameters: { outputFormat: 'ogg', durationSeconds: 1 } })
  for (const bytes of [Buffer.alloc(0), Buffer.from('no audio'), ogg.bytes]) {
    const inputs = [input(bytes, { field: 'audioIds', mimeType: 'audio/mpeg' })]
    expect(await opened.sandbox.collect({ data: null }, { ...spec, inputs }, context())).toEqual({ state: 'failed', failure })
  }
})
