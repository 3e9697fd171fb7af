import { expect, test } from 'vitest'
import { detectFormat, headBytes } from '../../src/media/detectFormat.ts'
import { mediaFormats } from '../../src/media/mediaFormats.ts'
import { hostileFiles } from '../support/media/hostileFiles.ts'
import { stlSample } from '../support/media/modelSamples.ts'
import { sampleFile, sampleKinds } from '../support/media/sampleFile.ts'

test.each(sampleKinds)('the first bytes of a %s file identify its format, with and without the size', async (kind) => {
  const content = await sampleFile(kind)
  const head = content.subarray(0, 4100)
  const { mimeType } = mediaFormats[kind === 'm4a' ? 'mp4' : kind]
  for (const sizeBytes of [undefined, content.length]) {
    const detected = await detectFormat(head, sizeBytes)
    expect(detected).toMatchObject({ mimeType })
    expect(detected.candidates).toContain(kind)
  }
})

const brands: [string, string[], string][] = [
  ['avif', ['mif1'], 'image/avif'],
  ['mif1', ['miaf', 'avif'], 'image/avif'],
  ['mif1', ['heic'], 'image/heic'],
  ['heix', [], 'image/heic'],
  ['mif1', ['jpeg'], 'image/heif'],
  ['avis', ['avif'], 'image/avif-sequence'],
  ['msf1', ['hevc'], 'image/heif-sequence'],
  ['isom', ['mp41'], 'video/mp4'],
  ['M4V ', [], 'video/mp4'],
  ['M4A ', [], 'audio/mp4'],
  ['qt  ', [], 'video/quicktime'],
  ['3g2a', [], 'video/3gpp'],
  ['crx ', [], 'image/x-canon-cr3'],
]

test.each(brands)('ISO media of brand %s with %j is %s', async (major, others, mimeType) => {
  const body = Buffer.from(`ftyp${major}\0\0\0\0${others.join('')}`, 'latin1')
  const head = Buffer.concat([Buffer.from([0, 0, 0, body.length + 4]), body, Buffer.alloc(50)])
  expect(await detectFormat(head)).toMatchObject({ mimeType })
})

test('a binary STL is recognised by its size or its first facets, and noise of the same size is not', async () => {
  const content = stlSample(30)
  content.fill('exported by a program', 0, 80)
  expect((await detectFormat(content, content.length)).candidates).toEqual(['stl'])
  expect((await detectFormat(content.subarray(0, 600), 9_999_999)).candidates).toEqual(['stl'])
  const noise = Buffer.from(Array.from({ length: 1584 }, (_, index) => (index * index * 31 + index * 7) & 0xff))
  expect((await detectFormat(noise, noise.length)).candidates).toEqual([])
})

test('the starts of hostile files are recognised quickly', async () => {
  // The JPEG is left out: it takes long to make, and its start is ordinary.
  const { 'a JPEG of many passes over a large picture': _left, ...others } = hostileFiles
  for (const make of Object.values(others)) {
    const content = await make()
    for (const length of [1, 2, 7, 11, 29, 100, 4100, headBytes]) {
      const started = performance.now()
      await detectFormat(content.subarray(0, length), content.length)
      expect(performance.now() - started).toBeLessThan(5000)
    }
  }
})
