import { rm } from 'node:fs/promises'
import sharp, { type Sharp } from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Inspector } from '../../src/media/inspector.ts'
import { blackPng } from '../support/media/blackPng.ts'
import { anInspector } from '../support/media/inspector.ts'
import { type MediaFolder, makeMediaFolder } from '../support/media/mediaFolder.ts'
import { sampleFile, sampleHeight, sampleWidth } from '../support/media/sampleFile.ts'

const inspector = anInspector()
let folder: MediaFolder
beforeAll(async () => {
  folder = await makeMediaFolder()
})
afterAll(async () => {
  await inspector.close()
  await folder.remove()
})

const bytesMax = 192_000

async function preview(content: Buffer, by: Inspector = inspector): Promise<Buffer | undefined> {
  const path = await folder.write(content)
  try {
    return await by.preview(path, { bytesMax, sideMax: 1024 })
  } finally {
    await rm(path)
  }
}

async function sizeOf(jpeg: Buffer | undefined) {
  const { format, width, height } = await sharp(jpeg).metadata()
  return { format, width, height }
}

function plain(width: number, height: number, background: string): Sharp {
  return sharp({ create: { width, height, channels: 4, background } })
}

test.each(['png', 'jpeg', 'webp', 'gif', 'avif'] as const)('a small %s becomes a JPEG of the same size', async (kind) => {
  const made = await preview(await sampleFile(kind))
  expect(await sizeOf(made)).toEqual({ format: 'jpeg', width: sampleWidth, height: sampleHeight })
})

test.each([
  { width: 2048, height: 1024 },
  { width: 1000, height: 2000 },
  { width: 1200, height: 1200 },
])('noise of $width by $height, the worst case of compression, keeps its aspect ratio and fits', async ({ width, height }) => {
  const noise = { type: 'gaussian', mean: 128, sigma: 80 } as const
  const picture = sharp({ create: { width, height, channels: 3, background: 'grey', noise } })
  const made = await preview(await picture.png({ compressionLevel: 1 }).toBuffer())
  expect(made?.length).toBeLessThanOrEqual(bytesMax)
  const shown = await sizeOf(made)
  expect(Math.max(shown.width, shown.height)).toBeGreaterThanOrEqual(512)
  expect(shown.width / shown.height).toBeCloseTo(width / height, 2)
})

test('pictures of 100 megapixels and of one line have previews', async () => {
  expect(await sizeOf(await preview(blackPng({ width: 10_000, height: 10_000 })))).toMatchObject({ width: 1024, height: 1024 })
  expect(await sizeOf(await preview(blackPng({ width: 1, height: 100_000 })))).toMatchObject({ width: 1, height: 1024 })
})

test('a photograph is upright and has no metadata', async () => {
  const photograph = plain(40, 20, 'red')
    .jpeg()
    .withExif({ IFD0: { Artist: 'somebody' } })
    .withMetadata({ orientation: 6 })
  const made = await preview(await photograph.toBuffer())
  expect(await sizeOf(made)).toMatchObject({ width: 20, height: 40 })
  expect((await sharp(made).metadata()).exif).toBeUndefined()
})

test.each(['white', 'black'])('a %s drawing on a transparent background stays visible', async (colour) => {
  const drawing = plain(16, 32, colour).extend({ right: 16, background: { r: 0, g: 0, b: 0, alpha: 0 } })
  const made = await preview(await drawing.png().toBuffer())
  const pixels = await sharp(made).greyscale().raw().toBuffer()
  const [drawn = 0, around = 0] = [pixels[4], pixels[28]]
  expect(Math.abs(drawn - around)).toBeGreaterThan(100)
})

test.each<[string, () => Promise<Buffer>]>([
  ['a file that is not a picture', async () => Buffer.alloc(5000, 7)],
  ['an SVG', async () => Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="8" height="8"><rect width="8" height="8"/></svg>')],
  ['a truncated PNG', async () => (await sampleFile('png')).subarray(0, 900)],
  ['a HEIC', () => sampleFile('heic')],
  ['a video', () => sampleFile('mp4')],
  ['more than 100 megapixels', async () => blackPng({ width: 10_001, height: 10_000 })],
])('%s has no preview, and the next file is not affected', async (_what, content) => {
  expect(await preview(await content())).toBeUndefined()
  expect(await preview(await sampleFile('webp'))).toBeDefined()
})

test('a picture over the time limit has no preview', async () => {
  const hurried = anInspector({ processes: 1, secondsMax: 0.01 })
  expect(await preview(blackPng({ width: 10_000, height: 10_000 }), hurried)).toBeUndefined()
  await hurried.close()
})
