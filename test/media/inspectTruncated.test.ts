import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { FormatName } from '../../src/media/mediaFormats.ts'
import { anInspector } from '../support/media/inspector.ts'
import { type MediaFolder, makeMediaFolder } from '../support/media/mediaFolder.ts'
import { textStlSample } from '../support/media/modelSamples.ts'
import { sampleFile, sampleKinds } from '../support/media/sampleFile.ts'
import { fragmentedMp4Sample } from '../support/media/videoSamples.ts'

const inspector = anInspector()
let folder: MediaFolder
beforeAll(async () => {
  folder = await makeMediaFolder()
})
afterAll(async () => {
  await inspector.close()
  await folder.remove()
})

async function inspectCut(content: Buffer, bytes: number) {
  return inspector.inspect(await folder.write(content.subarray(0, bytes)))
}

/** An OBJ may still be valid without its last characters. */
const missingAtLeast: Partial<Record<FormatName, number>> = { obj: 8 }

test.each(sampleKinds)('a %s file truncated at any position is refused', async (kind) => {
  const content = await sampleFile(kind)
  const missing = missingAtLeast[kind] ?? 1
  // Plus seven bytes, where no audio frame ends by chance.
  const tenths = Array.from({ length: 9 }, (_, index) => Math.floor((content.length * (index + 1)) / 10) + 7)
  const cuts = [content.length - missing, content.length - missing - 1, content.length - 30, ...tenths].filter(
    (cut) => cut <= content.length - missing,
  )
  for (const cut of cuts) expect({ cut, ...(await inspectCut(content, cut)) }).toMatchObject({ cut, ok: false })
})

test.each(sampleKinds.filter((kind) => kind !== 'obj'))('a %s file without its last bytes is broken, not unsupported', async (kind) => {
  const content = await sampleFile(kind)
  expect(await inspectCut(content, content.length - 20)).toMatchObject({
    refusal: 'file_processing_failed',
    cause: expect.stringMatching(/^(truncated|corrupt)$/),
  })
})

test('a fragmented MP4 with a truncated last fragment is refused', async () => {
  const content = await fragmentedMp4Sample({ width: 64, height: 48, seconds: 2 })
  expect(await inspectCut(content, content.length - 200)).toMatchObject({ refusal: 'file_processing_failed', cause: 'truncated' })
})

test('a truncated STL text is refused', async () => {
  const content = textStlSample()
  expect(await inspector.inspect(await folder.write(content))).toMatchObject({ ok: true, mimeType: 'model/stl' })
  expect(await inspectCut(content, content.length - 18)).toMatchObject({ refusal: 'file_processing_failed', cause: 'truncated' })
})

test('a JPEG of any height without its last rows is refused', async () => {
  for (const height of [1, 8, 17, 33, 65, 129, 257, 513]) {
    for (const progressive of [false, true]) {
      const noise = { type: 'gaussian', mean: 128, sigma: 40 } as const
      const picture = sharp({ create: { width: 40, height, channels: 3, background: '#808080', noise } })
      const content = await picture.jpeg({ progressive }).toBuffer()
      expect({ height, ...(await inspectCut(content, content.length - 8)) }).toMatchObject({ height, cause: 'truncated' })
    }
  }
})

test('an MP3 with fewer frames than its index says is refused', async () => {
  const sound = await sampleFile('mp3')
  const frame = sound.subarray(0, 216)
  const counting = Buffer.from(frame)
  counting.fill(0, 4)
  counting.write('Info', 13)
  counting.writeUInt32BE(1, 17)
  counting.writeUInt32BE(100, 21)
  const whole = Buffer.concat([counting, ...Array.from({ length: 100 }, () => frame)])
  expect(await inspector.inspect(await folder.write(whole))).toMatchObject({ ok: true, durationSeconds: 3.6 })
  expect(await inspectCut(whole, 216 * 60)).toMatchObject({ refusal: 'file_processing_failed', cause: 'truncated' })
})

test('an MP3 truncated in a frame header is refused', async () => {
  const sound = await sampleFile('mp3')
  for (const bytes of [1, 2, 3]) expect(await inspectCut(sound, 216 * 10 + bytes)).toMatchObject({ cause: 'truncated' })
})

test('a FLAC without its last frames is refused', async () => {
  const sound = await sampleFile('flac')
  const lastFrame = sound.lastIndexOf(Buffer.from([0xff, 0xf8, 0x75, 0x08]))
  expect(await inspectCut(sound, lastFrame)).toMatchObject({ refusal: 'file_processing_failed', cause: 'truncated' })
})

test('a HEIC with a picture beyond its end is refused', async () => {
  const picture = await sampleFile('heic')
  picture.writeUInt32BE(picture.length - 10, picture.indexOf('iloc') + 18)
  expect(await inspectCut(picture, picture.length)).toMatchObject({ refusal: 'file_processing_failed', cause: 'truncated' })
})

test('a WAV with fewer samples than their chunk says is refused, even with an unknown outer size', async () => {
  const sound = await sampleFile('wav')
  sound.writeUInt32LE(0xffff_ffff, 4)
  expect(await inspectCut(sound, sound.length - 100)).toMatchObject({ refusal: 'file_processing_failed', cause: 'truncated' })
})
