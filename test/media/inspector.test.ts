import { rm } from 'node:fs/promises'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { InspectOptions } from '../../src/media/inspector.ts'
import { allowedMimeTypes, type FormatName, mediaFormats } from '../../src/media/mediaFormats.ts'
import { blackPng } from '../support/media/blackPng.ts'
import { heicSample } from '../support/media/heicSample.ts'
import { anInspector } from '../support/media/inspector.ts'
import { type MediaFolder, makeMediaFolder } from '../support/media/mediaFolder.ts'
import { zipOf } from '../support/media/modelSamples.ts'
import { sampleFile, sampleHeight, sampleKinds, sampleSeconds, sampleWidth } from '../support/media/sampleFile.ts'
import { fragmentedMp4Sample, mp4Sample } from '../support/media/videoSamples.ts'

const inspector = anInspector()
let folder: MediaFolder
beforeAll(async () => {
  folder = await makeMediaFolder()
})
afterAll(async () => {
  await inspector.close()
  await folder.remove()
})

async function inspect(content: Buffer, options: InspectOptions = {}) {
  const path = await folder.write(content)
  try {
    return await inspector.inspect(path, options)
  } finally {
    await rm(path)
  }
}

test.each(sampleKinds)('a %s file is recognised by its content and measured', async (kind) => {
  const { type, mimeType } = mediaFormats[kind]
  const size = { image: true, video: true, audio: false, model3d: false }[type] ? [sampleWidth, sampleHeight] : [null, null]
  const seconds = { image: null, video: sampleSeconds, audio: sampleSeconds, model3d: null }[type]
  const inspected = await inspect(await sampleFile(kind))
  expect(inspected).toEqual({ ok: true, type, mimeType, width: size[0], height: size[1], durationSeconds: expect.toSatisfy(near(seconds)) })
})

/** Audio encoders round up to whole packets. */
const near = (seconds: number | null) => (measured: number | null) =>
  seconds === null ? measured === null : measured !== null && Math.abs(measured - seconds) < 0.1

test.each(sampleKinds)('a %s file passes with each of its declared types and is refused with any other', async (kind) => {
  const { mimeType, aliases } = mediaFormats[kind]
  const content = await sampleFile(kind)
  for (const declaredMimeType of [mimeType, mimeType.toUpperCase(), `${mimeType}; codecs="x"`, 'application/octet-stream', ...aliases]) {
    expect(await inspect(content, { declaredMimeTypes: [declaredMimeType] })).toMatchObject({ ok: true, mimeType })
  }
  const foreign = kind === 'png' ? 'image/jpeg' : 'image/png'
  for (const declaredMimeType of [foreign, 'text/html', '']) {
    expect(await inspect(content, { declaredMimeTypes: [declaredMimeType] })).toEqual({
      ok: false,
      refusal: 'unsupported_file_format',
      // MP4 and M4A start alike. A wrong declaration is refused before the tracks are read.
      detected: kind === 'm4a' ? 'video/mp4' : mimeType,
      declared: declaredMimeType,
      allowed: allowedMimeTypes,
    })
  }
})

test('an MP4 file with audio only is audio, whatever its brand says', async () => {
  expect(await inspect(await sampleFile('m4a'), { declaredMimeTypes: ['video/mp4'] })).toMatchObject({
    refusal: 'unsupported_file_format',
    detected: 'audio/mp4',
  })
  const branded = await sampleFile('mp4')
  branded.write('M4A ', 8)
  expect(await inspect(branded)).toMatchObject({ ok: true, type: 'video', mimeType: 'video/mp4' })
})

test('a picture rotated by its metadata has its displayed size', async () => {
  const turned = await sharp(await sampleFile('jpeg'))
    .withMetadata({ orientation: 6 })
    .jpeg()
    .toBuffer()
  expect(await inspect(turned)).toMatchObject({ ok: true, width: sampleHeight, height: sampleWidth })
  expect(await inspect(heicSample({ width: 640, height: 480, quarterTurns: 1 }))).toMatchObject({ ok: true, width: 480, height: 640 })
  expect(await inspect(heicSample({ width: 640, height: 480, quarterTurns: 2 }))).toMatchObject({ ok: true, width: 640, height: 480 })
})

test('a video rotated by its track has its displayed size', async () => {
  const turned = await mp4Sample({ width: 64, height: 48, seconds: 1, rotation: 90 })
  expect(await inspect(turned)).toMatchObject({ ok: true, width: 48, height: 64, durationSeconds: 1 })
})

test('a fragmented MP4 is measured over all fragments', async () => {
  const live = await fragmentedMp4Sample({ width: 64, height: 48, seconds: 2 })
  expect(await inspect(live)).toMatchObject({ ok: true, type: 'video', durationSeconds: 2 })
})

test('an animation is measured by one frame, even when all frames together exceed the pixel limit', async () => {
  const still = await sharp({ create: { width: 1200, height: 1200, channels: 3, background: '#fff' } })
    .gif({ effort: 1 })
    .toBuffer()
  const frame = still.subarray(still.indexOf(Buffer.from('2c00000000', 'hex')), -1)
  const animated = Buffer.concat([still.subarray(0, -1), ...Array.from({ length: 79 }, () => frame), still.subarray(-1)])
  expect((await sharp(animated, { limitInputPixels: false, pages: -1 }).metadata()).pages).toBe(80)
  expect(await inspect(animated)).toMatchObject({ ok: true, width: 1200, height: 1200 })
  expect(await inspect(animated.subarray(0, -5))).toMatchObject({ ok: false, cause: 'truncated' })
})

test('a picture of 100 million pixels passes, and one with one more row does not', async () => {
  const largest = blackPng({ width: 10_000, height: 10_000 })
  expect(await inspect(largest)).toMatchObject({ ok: true, width: 10_000, height: 10_000 })
  const larger = blackPng({ width: 10_000, height: 10_001 })
  expect(await inspect(larger)).toEqual({ ok: false, refusal: 'file_processing_failed', cause: 'too_many_pixels' })
})

const refused: [string, string | null, Buffer][] = [
  ['an empty file', 'application/x-empty', Buffer.alloc(0)],
  ['one zero byte', null, Buffer.alloc(1)],
  ['noise', null, Buffer.from(Array.from({ length: 5000 }, (_, index) => (index * index * 7 + 3) & 0xff))],
  ['SVG', 'image/svg+xml', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"/>')],
  ['SVG after a declaration and a comment', 'image/svg+xml', Buffer.from('\ufeff \n<?xml version="1.0"?><!-- x --><!DOCTYPE svg><svg/>')],
  ['SVG in UTF-16', 'image/svg+xml', Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from('<svg>', 'utf16le')])],
  ['HTML', 'text/html', Buffer.from('<!DOCTYPE html><title>x</title><script>alert(1)</script>')],
  ['other XML', 'application/xml', Buffer.from('<?xml version="1.0"?><note/>')],
  ['JSON', 'application/json', Buffer.from('{"hello":1}')],
  ['JSON with a member name of glTF', 'application/json', Buffer.from('{"nodes":[]}')],
  ['prose', 'text/plain', Buffer.from('solid ground under our feet\n')],
  ['PDF', 'application/pdf', Buffer.from('%PDF-1.7\n%\xe2\xe3\n', 'latin1')],
  ['a ZIP', 'application/zip', zipOf([{ name: 'a.txt', content: Buffer.from('x') }])],
  ['a ZIP with a compressed scene', 'application/zip', zipOf([{ name: 'scene.usdc', content: Buffer.from('x'), method: 8 }])],
  [
    'a ZIP with the scene as its second entry',
    'application/zip',
    zipOf(['a.png', 'b.usda'].map((name) => ({ name, content: Buffer.from('#usda') }))),
  ],
  ['gzip', 'application/gzip', Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0])],
  ['a Windows program', 'application/x-msdownload', Buffer.from('MZ'.padEnd(200, '\0'))],
  ['a Linux program', 'application/x-elf', Buffer.from('\x7fELF'.padEnd(200, '\0'))],
  ['BMP', 'image/bmp', Buffer.from('BM'.padEnd(200, '\0'))],
  ['TIFF', 'image/tiff', Buffer.from('II*\0\x08\0\0\0\0\0\0\0\0\0'.padEnd(64, '\0'), 'latin1')],
  ['Matroska', 'video/matroska', Buffer.from('1a45dfa38b4282886d6174726f736b61', 'hex')],
  ['3GP', 'video/3gpp', Buffer.from('\0\0\0\x14ftyp3gp5\0\0\0\x003gp5', 'latin1')],
  ['a playlist', 'text/plain', Buffer.from('#EXTM3U\n#EXTINF:10,\nfile:///etc/passwd\n')],
]

test.each(refused)('%s is refused as %s', async (_name, detected, content) => {
  expect(await inspect(content)).toEqual({
    ok: false,
    refusal: 'unsupported_file_format',
    detected,
    declared: null,
    allowed: allowedMimeTypes,
  })
})

const hidden: [FormatName, string][] = [
  ['png', '<html><script>alert(1)</script></html>'],
  ['gif', '*/=1;alert(1)'],
  ['jpeg', 'PK\x03\x04'],
  ['webp', '%PDF-1.7'],
]

test.each(hidden)('a %s with other content after its end keeps its format', async (kind, more) => {
  const content = Buffer.concat([await sampleFile(kind), Buffer.from(more, 'latin1')])
  expect(await inspect(content)).toMatchObject({ ok: true, mimeType: mediaFormats[kind].mimeType })
})

test('a missing file is an error of the caller, not of the content', async () => {
  await expect(inspector.inspect(`${folder.path}/nothing`)).rejects.toThrow('could not be read')
  await expect(inspector.inspect(folder.path)).rejects.toThrow('could not be read')
})
