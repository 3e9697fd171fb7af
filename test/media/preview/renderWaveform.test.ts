import { rm } from 'node:fs/promises'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { anInspector } from '../../support/media/inspector.ts'
import { type MediaFolder, makeMediaFolder } from '../../support/media/mediaFolder.ts'
import { sampleFile } from '../../support/media/sampleFile.ts'

const inspector = anInspector()
let folder: MediaFolder
beforeAll(async () => {
  folder = await makeMediaFolder()
})
afterAll(async () => {
  await inspector.close()
  await folder.remove()
})

async function preview(content: Buffer): Promise<Buffer | undefined> {
  const path = await folder.write(content)
  try {
    return await inspector.preview(path, { bytesMax: 48_000, sideMax: 320 })
  } finally {
    await rm(path)
  }
}

type Format = { kind: number; bits: number; channels?: number; frameBytes?: number; subformat?: number }

function aWave(
  { kind, bits, channels = 1, frameBytes = (channels * bits) / 8, subformat }: Format,
  samples: Buffer,
  dataBytes = samples.length,
) {
  const format = Buffer.alloc(subformat === undefined ? 16 : 40)
  format.writeUInt16LE(kind, 0)
  format.writeUInt16LE(channels, 2)
  format.writeUInt32LE(8000, 4)
  format.writeUInt16LE(frameBytes, 12)
  format.writeUInt16LE(bits, 14)
  if (subformat !== undefined) format.writeUInt16LE(subformat, 24)
  return Buffer.concat([Buffer.from('RIFF\0\0\0\0WAVE'), aChunk('fmt ', format), aChunk('data', samples, dataBytes)])
}

function aChunk(name: string, content: Buffer, size = content.length): Buffer {
  const header = Buffer.alloc(8)
  header.write(name, 'latin1')
  header.writeUInt32LE(size, 4)
  return Buffer.concat([header, content])
}

/** A quarter at full level, a half at half of it, and a quarter of silence. */
function steps(write: (buffer: Buffer, level: number, index: number) => void, sampleBytes: number): Buffer {
  const count = 4000
  const buffer = Buffer.alloc(count * sampleBytes)
  for (let index = 0; index < count; index += 1) write(buffer, index < 1000 ? 1 : index < 3000 ? 0.5 : 0, index)
  return buffer
}

function integers(bits: number): Buffer {
  const bytes = bits / 8
  return steps((buffer, level, index) => buffer.writeIntLE(Math.round(level * (2 ** (bits - 1) - 1)), index * bytes, bytes), bytes)
}

/** The height of the white bar at a place from 0 to 1. */
async function barAt(jpeg: Buffer | undefined, place: number): Promise<number> {
  const { data, info } = await sharp(jpeg).greyscale().raw().toBuffer({ resolveWithObject: true })
  expect([info.width, info.height]).toEqual([320, 160])
  const x = Math.floor((place * 320) / 10) * 10 + 2
  let rows = 0
  for (let y = 0; y < info.height; y += 1) if ((data[y * info.width + x] ?? 0) > 128) rows += 1
  return rows
}

test.each([
  ['8 bit', { kind: 1, bits: 8 }, steps((buffer, level, index) => buffer.writeUInt8(128 + level * 120, index), 1)],
  ['16 bit', { kind: 1, bits: 16 }, integers(16)],
  ['16 bit in stereo', { kind: 1, bits: 16, channels: 2 }, integers(16)],
  ['24 bit', { kind: 1, bits: 24 }, integers(24)],
  ['24 bit with the extended header', { kind: 0xfffe, bits: 24, subformat: 1 }, integers(24)],
  ['32 bit', { kind: 1, bits: 32 }, integers(32)],
  ['floating point', { kind: 3, bits: 32 }, steps((buffer, level, index) => buffer.writeFloatLE(level, index * 4), 4)],
  ['double precision', { kind: 3, bits: 64 }, steps((buffer, level, index) => buffer.writeDoubleLE(level, index * 8), 8)],
])('a WAV of %s shows its loudness over time', async (_what, format, samples) => {
  const made = await preview(aWave(format, samples))
  expect([await barAt(made, 0.1), await barAt(made, 0.5), await barAt(made, 0.9)]).toEqual([160, 80, 4])
})

test('a file of 40 MB whose end is not declared has a waveform of its whole length', async () => {
  const samples = Buffer.alloc(40_000_000)
  samples.fill(Buffer.from([0, 64]), samples.length / 2)
  const made = await preview(aWave({ kind: 1, bits: 16 }, samples, 0xffff_ffff))
  expect([await barAt(made, 0.4), await barAt(made, 0.6)]).toEqual([4, 160])
})

test('samples that are no numbers, or above the full level, draw no more than a full bar', async () => {
  const samples = Buffer.alloc(4000)
  for (let offset = 0; offset < 2000; offset += 4) samples.writeFloatLE(offset % 8 === 0 ? Number.NaN : Number.POSITIVE_INFINITY, offset)
  const made = await preview(aWave({ kind: 3, bits: 32 }, samples))
  expect([await barAt(made, 0.2), await barAt(made, 0.8)]).toEqual([160, 4])
})

const good = integers(16)

test.each<[string, Buffer]>([
  ['an empty format', Buffer.concat([Buffer.from('RIFF\0\0\0\0WAVE'), aChunk('fmt ', Buffer.alloc(0)), aChunk('data', good)])],
  ['samples without a format', Buffer.concat([Buffer.from('RIFF\0\0\0\0WAVE'), aChunk('data', good)])],
  ['a frame of no bytes', aWave({ kind: 1, bits: 16, frameBytes: 0 }, good)],
  ['no channels', aWave({ kind: 1, bits: 16, channels: 0 }, good)],
  ['no bits', aWave({ kind: 1, bits: 0 }, good)],
  ['65,535 channels', aWave({ kind: 1, bits: 8, channels: 65_535 }, good)],
  ['compressed samples', aWave({ kind: 85, bits: 16 }, good)],
  ['a chunk that exceeds the file', Buffer.concat([Buffer.from('RIFF\0\0\0\0WAVE'), aChunk('LIST', good, 0xffff_fff0)])],
  ['a million chunks', Buffer.concat([Buffer.from('RIFF\0\0\0\0WAVE'), Buffer.alloc(8_000_000)])],
  ['only a signature', Buffer.from('RIFF\0\0\0\0WAVE')],
])('a WAV with %s has no waveform, and the next file is not affected', async (_what, content) => {
  expect(await preview(content)).toBeUndefined()
  expect(await preview(await sampleFile('wav'))).toBeDefined()
})
