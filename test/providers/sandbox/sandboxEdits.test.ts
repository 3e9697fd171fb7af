import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { JobSpec } from '../../../src/providers/provider.ts'
import { catalogJob } from '../catalogJob.ts'
import { context, input, openSandbox, render } from './sandboxJobs.ts'

let opened: Awaited<ReturnType<typeof openSandbox>>
beforeAll(async () => {
  opened = await openSandbox()
})
afterAll(() => opened.close())

type Files = { images: Buffer[]; parts?: Partial<JobSpec> }

/** Only `inpaint` takes a prompt. */
function promptless(modelId: string): Partial<JobSpec> {
  return modelId === 'sandbox-edit.inpaint' ? {} : { prompt: null }
}

async function edit(modelId: string, { images, parts = {} }: Files) {
  const inputs = images.map((bytes) => input(bytes))
  return render(opened.sandbox, await catalogJob('sandbox', modelId, { ...promptless(modelId), ...parts, inputs }))
}

/** A picture with its left half in one colour and its right half in another. */
function halves(left: string, right: string, { width, height } = { width: 80, height: 40 }): Promise<Buffer> {
  const rectangles = `<rect width="100%" height="100%" fill="${right}"/><rect width="50%" height="100%" fill="${left}"/>`
  return sharp(Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">${rectangles}</svg>`))
    .png()
    .toBuffer()
}

async function pixelsOf(bytes: Buffer) {
  const { data, info } = await sharp(bytes).ensureAlpha().raw().toBuffer({ resolveWithObject: true })
  return {
    ...info,
    at: (column: number, row: number) => [...data.subarray((row * info.width + column) * 4, (row * info.width + column) * 4 + 4)],
  }
}

test('inpaint draws the prompt where the mask is white and keeps the rest', async () => {
  const [picture, mask] = [await halves('#c00', '#c00'), await halves('#000', '#fff', { width: 160, height: 80 })]
  const { bytes, mimeType } = await edit('sandbox-edit.inpaint', { images: [picture, mask] })
  expect(mimeType).toBe('image/png')
  const pixels = await pixelsOf(bytes)
  expect([pixels.width, pixels.height]).toEqual([80, 40])
  for (const column of [0, 20, 35]) expect(pixels.at(column, 20)).toEqual([204, 0, 0, 255])
  const drawn = Array.from({ length: 35 }, (_, index) => pixels.at(44 + index, 20).join())
  expect(drawn.filter((colour) => colour === '204,0,0,255').length).toBeLessThan(5)
  const again = await edit('sandbox-edit.inpaint', {
    images: [picture, mask],
    parts: { idempotencyKey: 'another attempt', parameters: { seed: 7 } },
  })
  const other = await edit('sandbox-edit.inpaint', {
    images: [picture, mask],
    parts: { prompt: 'A desert at noon', parameters: { seed: 7 } },
  })
  expect(again.bytes.equals(other.bytes)).toBe(false)
})

test.each(['png', 'jpeg', 'webp'])('upscale doubles both sides, as %s', async (outputFormat) => {
  const images = [await halves('#00c', '#0c0')]
  const { bytes, mimeType } = await edit('sandbox-edit.upscale-image', { images, parts: { parameters: { outputFormat } } })
  expect(mimeType).toBe(`image/${outputFormat}`)
  expect(await sharp(bytes).metadata()).toMatchObject({ format: outputFormat, width: 160, height: 80 })
  const pixels = await pixelsOf(bytes)
  expect([pixels.at(10, 40), pixels.at(150, 40)].map((colour) => colour.map((value) => value > 128))).toEqual([
    [false, false, true, true],
    [false, true, false, true],
  ])
})

test('the largest accepted image is upscaled, and a larger one is refused', async () => {
  const images = [await halves('#00c', '#0c0', { width: 2048, height: 2048 })]
  const { bytes } = await edit('sandbox-edit.upscale-image', { images, parts: { parameters: { outputFormat: 'webp' } } })
  expect(await sharp(bytes).metadata()).toMatchObject({ width: 4096, height: 4096 })
  const inputs = [input(await halves('#00c', '#0c0', { width: 2049, height: 64 }))]
  const spec = await catalogJob('sandbox', 'sandbox-edit.upscale-image', { prompt: null, inputs })
  expect(await opened.sandbox.collect({ data: null }, spec, context())).toMatchObject({ failure: { reason: 'image_too_large' } })
})

test('remove-background makes the colour of the corners transparent and keeps the rest, as a PNG', async () => {
  const subject = Buffer.from(
    '<svg xmlns="http://www.w3.org/2000/svg" width="90" height="90"><rect width="90" height="90" fill="#fff"/><rect x="30" y="30" width="30" height="30" fill="#c00"/></svg>',
  )
  const images = [await sharp(subject).jpeg({ quality: 95, chromaSubsampling: '4:4:4' }).toBuffer()]
  const { bytes, mimeType } = await edit('sandbox-edit.remove-background', { images })
  expect(mimeType).toBe('image/png')
  const pixels = await pixelsOf(bytes)
  expect([pixels.width, pixels.height]).toEqual([90, 90])
  for (const [column, row] of [
    [2, 2],
    [80, 10],
    [10, 80],
    [45, 20],
  ] as const)
    expect(pixels.at(column, row)[3]).toBe(0)
  expect(pixels.at(45, 45)[3]).toBe(255)
  expect(pixels.at(45, 45)[0]).toBeGreaterThan(190)
})

test.each(['sandbox-edit.inpaint', 'sandbox-edit.upscale-image', 'sandbox-edit.remove-background'])(
  '%s refuses missing images and files that are no images',
  async (modelId) => {
    const spec = await catalogJob('sandbox', modelId, promptless(modelId))
    const failure = { code: 'parameter_validation', reason: 'input_rejected_by_model' }
    expect(await opened.sandbox.submit(spec, context())).toEqual({ kind: 'failed', failure })
    expect(await opened.sandbox.collect({ data: null }, spec, context())).toEqual({ state: 'failed', failure })
    const inputs = [input(Buffer.from('no image')), input(Buffer.from('no mask'))]
    expect(await opened.sandbox.collect({ data: null }, { ...spec, inputs }, context())).toMatchObject({
      failure: { reason: 'image_unreadable' },
    })
  },
)
