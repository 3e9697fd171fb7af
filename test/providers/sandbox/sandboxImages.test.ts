import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { MediumLimits } from '../../../src/contract/shapes/media.ts'
import type { JobSpec } from '../../../src/providers/provider.ts'
import { undeclaredLimits } from '../../../src/providers/sandbox/modelLimits.ts'
import { countPixels, detailOf, meanColour, readPng } from './pixels.ts'
import { context, input, job, openSandbox, render } from './sandboxJobs.ts'

let opened: Awaited<ReturnType<typeof openSandbox>>
beforeAll(async () => {
  opened = await openSandbox()
})
afterAll(() => opened.close())

const image = (parts: Partial<JobSpec> = {}) => render(opened.sandbox, job(parts))
const sky = { left: 0, top: 0, right: 1, bottom: 0.4 }

function flat(colour: string, size = { width: 48, height: 48 }): Promise<Buffer> {
  return sharp({ create: { ...size, channels: 3, background: colour } })
    .png()
    .toBuffer()
}

test.each([
  ['png', 'image/png', 64, 64],
  ['jpeg', 'image/jpeg', 333, 127],
  ['webp', 'image/webp', 127, 640],
])('%s has exactly the requested size', async (outputFormat, mimeType, width, height) => {
  const { bytes, mimeType: reported } = await image({ parameters: { outputFormat, width, height } })
  expect(reported).toBe(mimeType)
  const decoded = await sharp(bytes).raw().toBuffer({ resolveWithObject: true })
  expect(await sharp(bytes).metadata()).toMatchObject({ format: outputFormat, width, height })
  expect(decoded.data.length).toBe(width * height * decoded.info.channels)
})

test('the default image is a PNG of 512 by 512', async () => {
  const pixels = readPng((await image({ parameters: {} })).bytes)
  expect([pixels.width, pixels.height]).toEqual([512, 512])
})

test('the colours depend on the prompt, not on the seed', async () => {
  const edgeColour = async (prompt: string, seed: number) => {
    const pixels = readPng((await image({ prompt, parameters: { seed, width: 128, height: 128 } })).bytes)
    const isUniform = (row: number) =>
      countPixels({ ...pixels, height: 1, at: (column) => pixels.at(column, row) }, (colour) => `${colour}` === `${pixels.at(0, row)}`) ===
      128
    // Only the line above the caption has a single colour.
    const row = Array.from({ length: 128 }, (_, index) => index).find(isUniform)
    return row === undefined ? undefined : pixels.at(0, row)
  }
  const sea = await edgeColour('a quiet sea', 1)
  expect(sea).toBeDefined()
  expect(await edgeColour('a quiet sea', 2)).toEqual(sea)
  expect(await edgeColour('a burning wood', 1)).not.toEqual(sea)
})

test('another seed changes the arrangement', async () => {
  const [one, other] = [await image({ parameters: { seed: 1 } }), await image({ parameters: { seed: 2 } })]
  expect(one.bytes.equals(other.bytes)).toBe(false)
})

test.each(['png', 'jpeg', 'webp'])('the same request and seed give the same bytes as %s in every attempt', async (outputFormat) => {
  const parameters = { seed: 5, outputFormat, width: 200, height: 150 }
  const [one, other] = [await image({ parameters }), await image({ parameters, idempotencyKey: 'another attempt' })]
  expect(one.bytes.equals(other.bytes)).toBe(true)
})

test('without a seed an attempt gives the same bytes each time it is collected, and another attempt gives others', async () => {
  const parameters = { width: 96, height: 96 }
  const [one, again] = [await image({ parameters }), await image({ parameters })]
  const other = await image({ parameters, idempotencyKey: 'attempt-2' })
  expect(one.bytes.equals(again.bytes)).toBe(true)
  expect(one.bytes.equals(other.bytes)).toBe(false)
})

test('each quality level has more detail than the previous one', async () => {
  const detail = async (version: string) =>
    detailOf(readPng((await image({ axes: { version }, parameters: { width: 300, height: 300 } })).bytes))
  const [draft, standard, pro] = [await detail('draft'), await detail('standard'), await detail('pro')]
  expect(standard).toBeGreaterThan(draft)
  expect(pro).toBeGreaterThan(standard * 1.5)
})

test('the picture shows the prompt in letters of any alphabet of the fonts', async () => {
  const white = async (prompt: string) => countPixels(readPng((await image({ prompt })).bytes), (colour) => Math.min(...colour) > 250)
  const [none, one, two] = [await white(' '), await white('i'), await white('MMMM MMMM')]
  expect(none).toBeLessThan(20)
  expect(one).toBeGreaterThan(none + 50)
  expect(two).toBeGreaterThan(one * 4)
  // With a missing font all letters would be the same box.
  expect(await white('шшшш')).not.toBe(await white('тттт'))
})

test.each([
  ['markup and control characters', '<b>&amp;</b> ]]> <script>\u0001\u0007\u001b "\' \ufffe \ud800 \u202e'],
  ['one endless word', 'x'.repeat(5000)],
  ['the longest prompt there is', 'Слово и дело '.repeat(1538)],
  ['white space only', ' \n\t '],
])('a prompt of %s is rendered', async (_, prompt) => {
  const { bytes } = await image({
    prompt,
    limits: { ...undeclaredLimits, prompt: { maxLength: 20_000 } },
    parameters: { width: 64, height: 640 },
  })
  expect(readPng(bytes)).toMatchObject({ width: 64, height: 640 })
})

describe('from images', () => {
  const fromImages = (inputs: Buffer[], parts: Partial<JobSpec> = {}) =>
    image({
      task: 'image-to-image',
      inputs: inputs.map((bytes) => input(bytes)),
      parameters: { seed: 1, width: 240, height: 240 },
      ...parts,
    })

  test('one to four images are laid out in the order of the request', async () => {
    const [red, green, blue, white] = [await flat('#f00'), await flat('#0f0'), await flat('#00f'), await flat('#fff')]
    const dominant = (pixels: ReturnType<typeof readPng>, left: number, right: number, top = 0) => {
      const [r, g, b] = meanColour(pixels, { left, right, top, bottom: top + 0.2 })
      return r > 1.5 * g && r > 1.5 * b ? 'red' : g > 1.5 * r && g > 1.5 * b ? 'green' : b > 1.5 * r && b > 1.5 * g ? 'blue' : 'white'
    }
    const two = readPng((await fromImages([red, blue])).bytes)
    expect([dominant(two, 0, 0.4), dominant(two, 0.6, 1)]).toEqual(['red', 'blue'])
    const turned = readPng((await fromImages([blue, red])).bytes)
    expect([dominant(turned, 0, 0.4), dominant(turned, 0.6, 1)]).toEqual(['blue', 'red'])
    const three = readPng((await fromImages([red, green, blue])).bytes)
    expect([dominant(three, 0, 0.3), dominant(three, 0.4, 0.6), dominant(three, 0.7, 1)]).toEqual(['red', 'green', 'blue'])
    const four = readPng((await fromImages([red, green, blue, white], { prompt: '' })).bytes)
    expect([dominant(four, 0, 0.4), dominant(four, 0.6, 1), dominant(four, 0, 0.4, 0.55), dominant(four, 0.6, 1, 0.55)]).toEqual([
      'red',
      'green',
      'blue',
      'white',
    ])
  })

  test.each(['png', 'jpeg', 'webp', 'gif', 'avif'] as const)('a %s is accepted as an input', async (format) => {
    const bytes = await sharp(await flat('#c40'))
      .toFormat(format)
      .toBuffer()
    const [red, , blue] = meanColour(readPng((await fromImages([bytes])).bytes), sky)
    expect(red).toBeGreaterThan(blue)
  })

  test('a photograph with an orientation tag is rotated upright', async () => {
    const halves = sharp(await flat('#f00', { width: 80, height: 40 })).composite([
      { input: await flat('#00f', { width: 40, height: 40 }), left: 40, top: 0 },
    ])
    const sideways = await sharp(await halves.png().toBuffer())
      .withMetadata({ orientation: 6 })
      .jpeg()
      .toBuffer()
    const pixels = readPng((await fromImages([sideways], { prompt: '' })).bytes)
    const [red, , blue] = meanColour(pixels, { left: 0, right: 1, top: 0, bottom: 0.3 })
    expect(red).toBeGreaterThan(blue * 3)
  })

  const unreadable = { code: 'image_format', reason: 'image_unreadable' }

  async function failureOf(bytes: Buffer, bounds: Omit<MediumLimits, 'mimeTypes'> = {}, known: Parameters<typeof input>[1] = {}) {
    const limits = { ...undeclaredLimits, images: { mimeTypes: [], ...bounds } }
    const spec = job({ task: 'image-to-image', limits, inputs: [input(await flat('#123')), input(bytes, known)] })
    const collected = await opened.sandbox.collect({ data: null }, spec, context())
    return collected.state === 'failed' ? collected.failure : collected.state
  }

  test('invalid bytes, a truncated picture and a disguised SVG are unreadable', async () => {
    const noisy = await sharp({
      create: { width: 300, height: 300, channels: 3, background: '#000', noise: { type: 'gaussian', mean: 128, sigma: 60 } },
    })
      .png()
      .toBuffer()
    expect(await failureOf(Buffer.from('not an image at all'))).toEqual(unreadable)
    expect(await failureOf(Buffer.alloc(0))).toEqual(unreadable)
    expect(await failureOf(noisy.subarray(0, noisy.length / 2))).toEqual(unreadable)
    expect(
      await failureOf(Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="64" height="64"><rect width="64" height="64"/></svg>')),
    ).toEqual(unreadable)
  })

  test('pixel limits apply to the file, whatever its metadata says', async () => {
    const known = { width: 64, height: 64 }
    expect(await failureOf(await flat('#456', { width: 20, height: 200 }), { minWidth: 32 }, known)).toMatchObject({
      reason: 'image_too_small',
      details: { minWidth: 32, minHeight: 1, width: 20, height: 200 },
    })
    expect(await failureOf(await flat('#456', { width: 20, height: 200 }), { maxHeight: 100 }, known)).toMatchObject({
      reason: 'image_too_large',
    })
  })

  test('the byte limit applies to the read bytes, whatever its metadata says', async () => {
    const failure = await failureOf(Buffer.alloc(5000), { maxBytes: 1000 }, { sizeBytes: 10 })
    expect(failure).toEqual({ code: 'file_size', reason: 'file_too_large', details: { maxBytes: 1000, actualBytes: 5000 } })
  })

  test('a picture of one pixel is accepted when the model has no minimum size', async () => {
    expect((await fromImages([await flat('#0c0', { width: 1, height: 1 })])).mimeType).toBe('image/png')
  })
})
