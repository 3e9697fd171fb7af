import { afterAll, beforeAll, expect, test } from 'vitest'
import { anInspector } from '../support/media/inspector.ts'
import { isoBox } from '../support/media/isoBox.ts'
import { type MediaFolder, makeMediaFolder } from '../support/media/mediaFolder.ts'
import { sampleFile } from '../support/media/sampleFile.ts'
import { soundOnlyWebm } from '../support/media/videoSamples.ts'

const inspector = anInspector({ processes: 1 })
let folder: MediaFolder
beforeAll(async () => {
  folder = await makeMediaFolder()
})
afterAll(async () => {
  await inspector.close()
  await folder.remove()
})

async function inspect(content: Buffer) {
  return inspector.inspect(await folder.write(content))
}

const failed = (cause: string) => ({ ok: false, refusal: 'file_processing_failed', cause })
const tagged = (bytes: number) => {
  const size = Buffer.from([bytes >> 21, (bytes >> 14) & 127, (bytes >> 7) & 127, bytes & 127])
  return Buffer.concat([Buffer.from('ID3\x04\0\0', 'latin1'), size, Buffer.alloc(bytes, 'picture')])
}

test('an MP4 without tracks is refused', async () => {
  const fileType = isoBox('ftyp', Buffer.from('isom\0\0\x02\0isommp41', 'latin1'))
  expect(await inspect(Buffer.concat([fileType, isoBox('moov'), isoBox('mdat', Buffer.alloc(100))]))).toEqual(failed('no_tracks'))
  expect(await inspect(Buffer.concat([fileType, isoBox('mdat', Buffer.alloc(100))]))).toEqual(failed('no_tracks'))
})

test('an MP4 with samples beyond its end is refused', async () => {
  const content = await sampleFile('mp4')
  const offsets = content.indexOf('stco') + 12
  content.writeUInt32BE(content.length + 1000, offsets)
  expect(await inspect(content)).toEqual(failed('truncated'))
})

test('an old MOV without a brand is read', async () => {
  const content = await sampleFile('mov')
  const branded = content.readUInt32BE(0)
  content.write('wide', 4)
  content.fill(0, 8, branded)
  expect(await inspect(content)).toMatchObject({ ok: true, mimeType: 'video/quicktime', durationSeconds: 1 })
})

test('a WebM with audio only is not accepted', async () => {
  expect(await inspect(await soundOnlyWebm(await sampleFile('ogg')))).toMatchObject({
    refusal: 'unsupported_file_format',
    detected: 'audio/webm',
  })
})

test.each(['mp3', 'flac'] as const)('a %s after a long ID3 tag is found and measured', async (kind) => {
  const content = await sampleFile(kind)
  const plain = await inspect(content)
  for (const bytes of [10, 4000, 200_000]) expect(await inspect(Buffer.concat([tagged(bytes), content]))).toEqual(plain)
})

test('content after an ID3 tag that is not audio is refused', async () => {
  expect(await inspect(Buffer.concat([tagged(50), await sampleFile('png')]))).toEqual(failed('corrupt'))
  const aac = Buffer.concat(Array.from({ length: 20 }, () => Buffer.from('fff15080017ffc'.padEnd(22, '0'), 'hex')))
  expect(await inspect(Buffer.concat([tagged(50), aac]))).toMatchObject({ refusal: 'unsupported_file_format', detected: 'audio/aac' })
})

test('an MP3 with foreign bytes between frames and a trailing tag is measured by its frames', async () => {
  const content = await sampleFile('mp3')
  const plain = await inspect(content)
  const [before, after] = [content.subarray(0, 216 * 4), content.subarray(216 * 4)]
  const tag = Buffer.from('TAG'.padEnd(128, '\0'))
  expect(await inspect(Buffer.concat([before, Buffer.alloc(333, 'x'), after, tag]))).toEqual(plain)
})

test('a WAV of a live recorder with unknown sizes is measured by its samples', async () => {
  const content = await sampleFile('wav')
  content.writeUInt32LE(0xffff_ffff, 4)
  content.writeUInt32LE(0xffff_ffff, 40)
  expect(await inspect(content)).toMatchObject({ ok: true, durationSeconds: 1 })
})

test('a WAV with compressed samples is refused with the reason', async () => {
  const content = await sampleFile('wav')
  content.writeUInt16LE(2, 20)
  expect(await inspect(content)).toEqual(failed('unsupported_codec'))
})

test('one changed byte in an Ogg or in the last frame of a FLAC is detected', async () => {
  for (const kind of ['ogg', 'flac'] as const) {
    const content = await sampleFile(kind)
    content.writeUInt8(content.readUInt8(content.length - 20) ^ 1, content.length - 20)
    expect(await inspect(content)).toMatchObject({ refusal: 'file_processing_failed' })
  }
})

test('a video with a duration of years is refused', async () => {
  const content = await sampleFile('mp4')
  content.writeUInt32BE(0x7fff_ffff, content.indexOf('stts') + 16)
  expect(await inspect(content)).toEqual(failed('corrupt'))
})
