import { ALL_FORMATS, BufferSource, EncodedPacketSink, Input, type InputTrack } from 'mediabunny'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { JobSpec } from '../../../src/providers/provider.ts'
import { context, input, job, openSandbox, render, somePrompt } from './sandboxJobs.ts'

let opened: Awaited<ReturnType<typeof openSandbox>>
beforeAll(async () => {
  opened = await openSandbox()
})
afterAll(() => opened.close())

const videoJob = (parts: Partial<JobSpec> = {}) => job({ familyId: 'sandbox-video', task: 'text-to-video', outputType: 'video', ...parts })
/** A shared short clip for tests that only read it. */
let made: Promise<{ bytes: Buffer; mimeType: string }> | undefined
const shortClip = () => (made ??= video({ parameters: { seed: 1, durationSeconds: 1 } }))
const video = (parts: Partial<JobSpec> = {}) => render(opened.sandbox, videoJob(parts))

async function packetsOf(track: InputTrack | null): Promise<Buffer[]> {
  const packets: Buffer[] = []
  if (track) for await (const packet of new EncodedPacketSink(track).packets()) packets.push(Buffer.from(packet.data))
  return packets
}

async function describe(bytes: Buffer) {
  const file = new Input({ source: new BufferSource(new Uint8Array(bytes)), formats: ALL_FORMATS })
  const [picture, sound] = [await file.getPrimaryVideoTrack(), await file.getPrimaryAudioTrack()]
  return {
    format: (await file.getFormat()).name,
    title: (await file.getMetadataTags()).title,
    seconds: await file.computeDuration(),
    picture: picture && { codec: await picture.getCodec(), width: await picture.getCodedWidth(), height: await picture.getCodedHeight() },
    sound: sound && { codec: await sound.getCodec(), seconds: await sound.computeDuration() },
    pictures: await packetsOf(picture),
    sounds: await packetsOf(sound),
  }
}

test('a clip is an MP4 with H.264 and AAC, two seconds long by default, with its prompt as the title', async () => {
  const { bytes, mimeType } = await video({ parameters: {} })
  expect(mimeType).toBe('video/mp4')
  expect(await describe(bytes)).toMatchObject({
    format: 'MP4',
    title: somePrompt,
    picture: { codec: 'avc', width: 640, height: 360 },
    sound: { codec: 'aac' },
  })
})

test.each([0.1, 2.5, 99])('a requested length of %d seconds is limited to 1 to 10, for video and audio', async (durationSeconds) => {
  const wanted = Math.min(10, Math.max(1, durationSeconds))
  const { seconds, sound, pictures } = await describe((await video({ parameters: { durationSeconds } })).bytes)
  expect(seconds).toBeCloseTo(wanted, 3)
  expect(sound?.seconds).toBeCloseTo(wanted, 3)
  expect(pictures).toHaveLength(wanted * 12)
})

test('quality has more pixels and more frames per second than turbo', async () => {
  const { picture, pictures } = await describe((await video({ axes: { mode: 'quality' }, parameters: { durationSeconds: 1 } })).bytes)
  expect(picture).toEqual({ codec: 'avc', width: 1280, height: 720 })
  expect(pictures).toHaveLength(24)
})

test('the picture moves, and the audio is not silent', async () => {
  const { pictures, sounds } = await describe((await shortClip()).bytes)
  // A still picture and silence need only a few bytes per packet.
  expect(pictures.slice(1).filter((packet) => packet.length > 100).length).toBeGreaterThan(8)
  expect(sounds.filter((packet) => packet.length > 60).length).toBeGreaterThan(20)
})

test('the same request and seed give the same bytes, another seed or prompt gives others', async () => {
  const parameters = { seed: 3, durationSeconds: 1 }
  const first = await video({ parameters })
  expect((await video({ parameters, idempotencyKey: 'another attempt' })).bytes.equals(first.bytes)).toBe(true)
  expect((await video({ parameters: { ...parameters, seed: 4 } })).bytes.equals(first.bytes)).toBe(false)
  expect((await video({ parameters, prompt: 'A desert at noon' })).bytes.equals(first.bytes)).toBe(false)
})

test.each(['mvhd', 'tkhd', 'mdhd'])('%s contains no creation time', async (box) => {
  const { bytes } = await shortClip()
  const body = bytes.indexOf(box) + 4
  expect(bytes.subarray(body + 4, body + (bytes[body] === 1 ? 20 : 12)).every((byte) => byte === 0)).toBe(true)
})

test('a clip from an image shows that image', async () => {
  const picture = async (colour: string) => {
    const bytes = await sharp({ create: { width: 64, height: 64, channels: 3, background: colour } })
      .png()
      .toBuffer()
    return video({ task: 'image-to-video', inputs: [input(bytes)], parameters: { seed: 1, durationSeconds: 1 } })
  }
  const [red, redAgain, blue] = [await picture('#e00'), await picture('#e00'), await picture('#00e')]
  expect(red.bytes.equals(redAgain.bytes)).toBe(true)
  expect(red.bytes.equals(blue.bytes)).toBe(false)
  expect(await describe(red.bytes)).toMatchObject({ picture: { codec: 'avc', width: 640, height: 360 }, sound: { codec: 'aac' } })
})

function fromVideo(bytes: Buffer, parts: Partial<JobSpec> = {}): JobSpec {
  const source = input(bytes, { field: 'videoIds', mimeType: 'video/mp4', durationSeconds: 1 })
  return videoJob({ task: 'video-to-video', prompt: 'Now by night', inputs: [source], ...parts })
}

test('a video from a video keeps its pictures and length, and gets audio and title from the prompt', async () => {
  const source = await shortClip()
  const before = await describe(source.bytes)
  const { bytes, mimeType } = await render(opened.sandbox, fromVideo(source.bytes))
  const after = await describe(bytes)
  expect(mimeType).toBe('video/mp4')
  expect(after).toMatchObject({ format: 'MP4', title: 'Now by night', picture: before.picture, sound: { codec: 'aac' } })
  expect(after.seconds).toBeCloseTo(before.seconds, 2)
  expect(Buffer.concat(after.pictures).equals(Buffer.concat(before.pictures))).toBe(true)
  expect(Buffer.concat(after.sounds).equals(Buffer.concat(before.sounds))).toBe(false)
  expect((await render(opened.sandbox, fromVideo(source.bytes))).bytes.equals(bytes)).toBe(true)
})

test('a file without video, a truncated one and one that is not a video are refused as inputs', async () => {
  const sound = await render(opened.sandbox, job({ task: 'text-to-speech', outputType: 'audio', parameters: { outputFormat: 'm4a' } }))
  const clip = await shortClip()
  for (const bytes of [sound.bytes, clip.bytes.subarray(0, 600), Buffer.from('no video'), Buffer.alloc(0)]) {
    expect(await opened.sandbox.collect({ data: null }, fromVideo(bytes), context())).toEqual({
      state: 'failed',
      failure: { code: 'parameter_validation', reason: 'input_rejected_by_model' },
    })
  }
})

test('an image that cannot be read fails the clip, not the process', async () => {
  const spec = videoJob({ task: 'image-to-video', inputs: [input(Buffer.from('no image'))] })
  expect(await opened.sandbox.collect({ data: null }, spec, context())).toMatchObject({ failure: { reason: 'image_unreadable' } })
  expect((await video({ parameters: { durationSeconds: 1 } })).bytes.length).toBeGreaterThan(1000)
})
