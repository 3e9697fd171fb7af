import { ALL_FORMATS, BufferSource, EncodedPacketSink, Input, type InputTrack } from 'mediabunny'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { catalogJob } from '../catalogJob.ts'
import { context, input, job, openSandbox, render } from './sandboxJobs.ts'

let opened: Awaited<ReturnType<typeof openSandbox>>
let clip: Buffer
let speech: Buffer
beforeAll(async () => {
  opened = await openSandbox()
  clip = (await render(opened.sandbox, job({ task: 'text-to-video', outputType: 'video', parameters: { durationSeconds: 2 } }))).bytes
  const words = job({ task: 'text-to-speech', outputType: 'audio', prompt: 'Good morning.', parameters: { outputFormat: 'mp3' } })
  speech = (await render(opened.sandbox, words)).bytes
})
afterAll(() => opened.close())

const upscaleJob = (bytes: Buffer) =>
  catalogJob('sandbox', 'sandbox-clip.upscale-video', {
    prompt: null,
    parameters: { seed: 1 },
    inputs: [input(bytes, { field: 'videoIds', mimeType: 'video/mp4' })],
  })

const lipSyncJob = (video: Buffer, audio: Buffer, mimeType = 'audio/mpeg') =>
  catalogJob('sandbox', 'sandbox-clip.lip-sync', {
    prompt: null,
    inputs: [input(video, { field: 'videoIds', mimeType: 'video/mp4' }), input(audio, { field: 'audioIds', mimeType })],
  })

async function packetsOf(track: InputTrack | null): Promise<Buffer> {
  const packets: Buffer[] = []
  if (track) for await (const packet of new EncodedPacketSink(track).packets()) packets.push(Buffer.from(packet.data))
  return Buffer.concat(packets)
}

async function describe(bytes: Buffer) {
  const file = new Input({ source: new BufferSource(new Uint8Array(bytes)), formats: ALL_FORMATS })
  const [picture, sound] = [await file.getPrimaryVideoTrack(), await file.getPrimaryAudioTrack()]
  return {
    seconds: await file.computeDuration(),
    size: picture && [await picture.getDisplayWidth(), await picture.getDisplayHeight()],
    codecs: [await picture?.getCodec(), await sound?.getCodec()],
    pictures: await packetsOf(picture),
    sounds: await packetsOf(sound),
  }
}

test('upscale-video has twice the size, the same length and the sound of its input, and the same bytes each time', async () => {
  const { bytes, mimeType } = await render(opened.sandbox, await upscaleJob(clip))
  expect(mimeType).toBe('video/mp4')
  const [before, after] = [await describe(clip), await describe(bytes)]
  expect(before.size).toEqual([640, 360])
  expect(after).toMatchObject({ size: [1280, 720], codecs: ['avc', 'aac'] })
  expect(Math.abs(after.seconds - before.seconds)).toBeLessThan(0.1)
  expect(after.sounds.equals(before.sounds)).toBe(true)
  expect((await render(opened.sandbox, await upscaleJob(clip))).bytes.equals(bytes)).toBe(true)
})

test('the largest and longest accepted video is upscaled within the time of a render', async () => {
  const large = job({ task: 'text-to-video', outputType: 'video', axes: { mode: 'quality' }, parameters: { durationSeconds: 10 } })
  const { bytes } = await render(opened.sandbox, await upscaleJob((await render(opened.sandbox, large)).bytes))
  expect(await describe(bytes)).toMatchObject({ size: [2560, 1440], seconds: expect.closeTo(10, 0) })
}, 120_000)

test('lip-sync copies the pictures of the video and the sound of the audio file', async () => {
  const { bytes, mimeType } = await render(opened.sandbox, await lipSyncJob(clip, speech))
  expect(mimeType).toBe('video/mp4')
  const [video, audio, made] = [await describe(clip), await describe(speech), await describe(bytes)]
  expect(made).toMatchObject({ size: [640, 360], codecs: ['avc', 'mp3'] })
  expect(made.pictures.equals(video.pictures)).toBe(true)
  expect(made.sounds.equals(audio.sounds)).toBe(true)
  expect(made.seconds).toBeGreaterThanOrEqual(video.seconds - 0.1)
  expect((await render(opened.sandbox, await lipSyncJob(clip, speech))).bytes.equals(bytes)).toBe(true)
})

test.each(['wav', 'm4a'])('lip-sync takes the sound of a %s, and the prompt as the title', async (outputFormat) => {
  const words = job({ task: 'text-to-speech', outputType: 'audio', prompt: 'Good morning.', parameters: { outputFormat } })
  const { bytes: audio, mimeType } = await render(opened.sandbox, words)
  const { bytes } = await render(opened.sandbox, { ...(await lipSyncJob(clip, audio, mimeType)), prompt: 'A greeting' })
  expect((await describe(bytes)).sounds.length).toBeGreaterThan(1000)
  expect(bytes.includes('A greeting')).toBe(true)
})

test('files without pictures or sound, truncated ones and other files are refused as inputs', async () => {
  const failed = { state: 'failed', failure: { code: 'parameter_validation', reason: 'input_rejected_by_model' } }
  for (const bytes of [speech, clip.subarray(0, 600), Buffer.from('no video'), Buffer.alloc(0)]) {
    expect(await opened.sandbox.collect({ data: null }, await upscaleJob(bytes), context())).toEqual(failed)
    expect(await opened.sandbox.collect({ data: null }, await lipSyncJob(bytes, speech), context())).toEqual(failed)
  }
  for (const bytes of [Buffer.from('no audio'), Buffer.alloc(0)])
    expect(await opened.sandbox.collect({ data: null }, await lipSyncJob(clip, bytes), context())).toEqual(failed)
})
