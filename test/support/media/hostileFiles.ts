import { deflateSync } from 'node:zlib'
import sharp from 'sharp'
import { limits } from '../../../src/contract/limits.ts'
import { pngChunk } from './blackPng.ts'
import { isoBox, uint32 } from './isoBox.ts'
import { gltfSample, zipOf } from './modelSamples.ts'
import { sampleFile } from './sampleFile.ts'

const mebibyte = 1024 * 1024

/**
 * Files that try to exhaust or crash their reader, with the maximum upload size if that makes it worse. The tests check
 * the refusals. All of them must be answered in time, by a process that survives.
 */
export const hostileFiles: Record<string, () => Buffer | Promise<Buffer>> = {
  'a JPEG of many passes over a large picture': manyScans,
  'a JPEG that claims the largest size': async () => patched(await sampleFile('jpeg'), jpegSizeAt, Buffer.from([0xff, 0xdc, 0xff, 0xdc])),
  'a JPEG of twelve million empty segments': () =>
    Buffer.concat([Buffer.from('ffd8ffe0', 'hex'), repeated(Buffer.from('ffd8', 'hex'), 24 * mebibyte)]),
  'a PNG that claims the largest size': async () => pngClaiming(0x7fff_ffff, 0x7fff_ffff),
  'a PNG with a thousand packed texts': packedTexts,
  'a GIF that claims the largest size': async () => patched(await sampleFile('gif'), () => 6, Buffer.from([0xff, 0xff, 0xff, 0xff])),
  'a GIF of a million frames': manyFrames,
  'an AVIF that claims a size beyond its picture': async () => patched(await sampleFile('avif'), sizeAfter('ispe'), uint32(0x0000_0fff)),
  'a HEIC whose list of items never ends': async () => patched(await sampleFile('heic'), after('iloc', 6), Buffer.from([0xff, 0xff])),
  'an MP4 whose table counts four thousand million samples of one size': async () => forgeTable('stsz', [1, 0xffff_fff0]),
  'an MP4 whose table counts as many durations': async () => forgeTable('stts', [1, 0xffff_fff0, 1]),
  'an MP4 whose chunks hold as many samples': async () => forgeTable('stsc', [1, 1, 0xffff_fff0]),
  'an MP4 whose durations and offsets count as many': async () =>
    withTable(await forgeTable('stts', [1, 0xffff_fff0, 1]), isoBox('ctts', uint32(0), uint32(1), uint32(1), uint32(1))),
  'an MP4 of boxes within boxes': () => withMoov(nested('edts', 200_000)),
  'an MP4 of three million empty boxes': () => Buffer.concat([fileType, repeated(isoBox('free'), 24 * mebibyte)]),
  'an MP4 of a hundred thousand empty tracks': () => withMoov(repeated(isoBox('trak'), mebibyte)),
  'an MP4 whose box is larger than any file': async () => patched(await sampleFile('mp4'), after('moov', -8), uint32(0xffff_ffff)),
  'a WebM of eight million empty elements': async () => Buffer.concat([webmHead, repeated(Buffer.from([0xec, 0x80]), 24 * mebibyte)]),
  'a WebM whose first element has no size': () => Buffer.concat([webmHead, Buffer.from([0xec, 0xff])]),
  'an Ogg of a million empty pages': async () => repeated(Buffer.from('OggS\0\x02'.padEnd(27, '\0'), 'latin1'), 24 * mebibyte),
  'an MP3 of ones alone': () => Buffer.alloc(24 * mebibyte, 0xff),
  'an MP3 of a million smallest frames': () => repeated(smallestFrame, 24 * mebibyte),
  'an MP3 with a foreign byte behind every frame': () =>
    repeated(Buffer.concat([smallestFrame, smallestFrame, Buffer.alloc(1)]), 24 * mebibyte),
  'an MP3 whose tag is larger than the file': () =>
    Buffer.concat([Buffer.from('ID3\x04\0\0\x7f\x7f\x7f\x7f', 'latin1'), Buffer.alloc(100)]),
  'a FLAC of one endless frame': async () =>
    Buffer.concat([(await sampleFile('flac')).subarray(0, 200), Buffer.alloc(24 * mebibyte, 0xff)]),
  'a FLAC whose picture is larger than the file': async () => flacPicture(),
  'a WAV with no samples a second': async () => patched(await sampleFile('wav'), () => 24, Buffer.alloc(4)),
  'a WAV whose blocks are empty': async () => patched(await sampleFile('wav'), () => 32, Buffer.alloc(2)),
  'a WAV whose chunk has a size below zero': async () => patched(await sampleFile('wav'), () => 16, Buffer.alloc(4, 0xff)),
  'a glTF of lists within lists': () => Buffer.from(`{"asset":${'['.repeat(24 * mebibyte)}`),
  'a glTF of twelve million numbers': () => Buffer.from(`{"asset":{"version":"2.0"},"meshes":[${'1,'.repeat(12 * mebibyte)}1]}`),
  'a glTF with one string of escapes': () => Buffer.from(`{"asset":"${'\\'.repeat(24 * mebibyte)}`),
  'a glTF of a million members of one name': () =>
    gltfSample((scene) => Object.assign(scene, { extras: JSON.parse(`{"a":[${'{"__proto__":1},'.repeat(50_000)}1]}`) })),
  'an OBJ of twenty million empty lines': () => Buffer.from(`v 1 1 1\np 1\n${'\n'.repeat(20 * mebibyte)}`),
  'an OBJ of one endless line': () => Buffer.from(`v 1 1 1\np 1\n# ${'x'.repeat(24 * mebibyte)}`),
  'an OBJ of lines that go on for ever': () => Buffer.from(`v 1 1 1\np 1\nf 1${' 1\\\n'.repeat(6 * mebibyte)}`),
  'an STL of three million facets that are not there': async () => patched(await sampleFile('stl'), () => 80, Buffer.from([0, 0, 0x30, 0])),
  'an STL text of endless facets': () => Buffer.from(`solid x\n${'facet normal 0 0 0\n'.repeat(mebibyte)}`),
  'a USDZ whose entries share their bytes': sharedEntries,
}

const fileType = isoBox('ftyp', Buffer.from('isom\0\0\x02\0isomavc1mp41', 'latin1'))
const smallestFrame = Buffer.concat([Buffer.from([0xff, 0xf3, 0x14, 0xc0]), Buffer.alloc(20)])
const webmHead = Buffer.from('1a45dfa39f4286810142f7810142f2810442f381084282847765626d42878104428581021853806701ffffffffffffff', 'hex')

function repeated(part: Buffer, bytes: number): Buffer {
  return Buffer.alloc(Math.floor(bytes / part.length) * part.length, part)
}

function patched(file: Buffer, at: (file: Buffer) => number, bytes: Buffer): Buffer {
  bytes.copy(file, at(file))
  return file
}

function after(box: string, distance: number): (file: Buffer) => number {
  return (file) => file.indexOf(box) + 4 + distance
}

function sizeAfter(box: string): (file: Buffer) => number {
  return after(box, 4)
}

/** The first frame header of a baseline JPEG; height and width stand five bytes into it. */
function jpegSizeAt(file: Buffer): number {
  return file.indexOf(Buffer.from([0xff, 0xc0])) + 5
}

/** Rewrites the entry count of a sample table and the first numbers behind it. */
async function forgeTable(box: string, numbers: number[]): Promise<Buffer> {
  return patched(await sampleFile('mp4'), after(box, 4), Buffer.concat(numbers.map(uint32)))
}

/** Adds a sample table to the first track, and its length to every box around it. */
function withTable(file: Buffer, table: Buffer): Buffer {
  const samples = file.indexOf('stbl') - 4
  const end = samples + file.readUInt32BE(samples)
  for (const type of ['moov', 'trak', 'mdia', 'minf', 'stbl']) {
    const start = file.indexOf(type) - 4
    file.writeUInt32BE(file.readUInt32BE(start) + table.length, start)
  }
  return Buffer.concat([file.subarray(0, end), table, file.subarray(end)])
}

function withMoov(content: Buffer): Buffer {
  return Buffer.concat([fileType, isoBox('moov', content)])
}

function nested(type: string, depth: number): Buffer {
  const file = Buffer.alloc(depth * 8)
  for (let level = 0; level < depth; level += 1) {
    file.writeUInt32BE((depth - level) * 8, level * 8)
    file.write(type, level * 8 + 4, 'latin1')
  }
  return isoBox('trak', file)
}

/** A progressive JPEG whose last pass is repeated as often as an upload has room for. */
async function manyScans(): Promise<Buffer> {
  const picture = await sharp({ create: { width: 6000, height: 6000, channels: 3, background: '#123456' } })
    .jpeg({ progressive: true, chromaSubsampling: '4:4:4' })
    .toBuffer()
  const lastScan = picture.lastIndexOf(Buffer.from([0xff, 0xda]))
  const scan = picture.subarray(lastScan, -2)
  return Buffer.concat([picture.subarray(0, lastScan), repeated(scan, limits.fileBytes - picture.length), picture.subarray(-2)])
}

function pngClaiming(width: number, height: number): Promise<Buffer> {
  return sampleFile('png').then((file) => patched(file, () => 16, Buffer.concat([uint32(width), uint32(height)])))
}

/** Each unpacks to 8 MiB, which a metadata reader would hold in memory. */
async function packedTexts(): Promise<Buffer> {
  const file = await sampleFile('png')
  const text = Buffer.concat([Buffer.from('Comment\0\0', 'latin1'), deflateSync(Buffer.alloc(8 * mebibyte))])
  const endOfHeader = 33
  return Buffer.concat([
    file.subarray(0, endOfHeader),
    repeated(pngChunk('zTXt', text), 1000 * (text.length + 12)),
    file.subarray(endOfHeader),
  ])
}

function manyFrames(): Buffer {
  const head = Buffer.from('4749463839610100010080000000000000ffff', 'hex')
  const frame = Buffer.from('2c00000000010001000002024c0100', 'hex')
  return Buffer.concat([head, repeated(frame, 24 * mebibyte), Buffer.from([0x3b])])
}

async function flacPicture(): Promise<Buffer> {
  const head = (await sampleFile('flac')).subarray(0, 42)
  head.writeUInt8(0, 4)
  const picture = Buffer.concat([uint32(3), uint32(0x7fff_ffff), Buffer.from('image/png')])
  return Buffer.concat([head, Buffer.from([0x86, 0xff, 0xff, 0xff]), picture, Buffer.alloc(1000)])
}

/** A directory with many entries of the same file. */
function sharedEntries(): Buffer {
  const file = zipOf([{ name: 'scene.usda', content: Buffer.concat([Buffer.from('#usda 1.0\n'), Buffer.alloc(8 * mebibyte, 32)]) }])
  const directory = file.subarray(file.lastIndexOf('PK\x01\x02', undefined, 'latin1'), -22)
  const end = file.subarray(-22)
  end.writeUInt16LE(9000, 8)
  end.writeUInt16LE(9000, 10)
  return Buffer.concat([file.subarray(0, -22 - directory.length), repeated(directory, directory.length * 9000), end])
}
