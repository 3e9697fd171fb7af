import type { ByteReader } from '../inspection/openByteReader.ts'
import { Unprocessable } from '../inspection/unprocessable.ts'

/** The position and format of the samples of a WAV file. `sampleAt` reads a sample of a buffer as a number from -1 to 1. */
export type Wave = {
  start: number
  frames: number
  frameBytes: number
  sampleBytes: number
  sampleAt(bytes: Buffer, offset: number): number
}

const formats = { integer: 1, float: 3, extended: 0xfffe }
/** Sizes that writers use for streams of unknown length. */
const unknownSizes = new Set([0, 0xffff_ffff, 0x7fff_ffff])
const chunksMax = 1000
const channelsMax = 64

/** Reads the headers of a WAV file with uncompressed samples. Nothing in them is trusted. Throws {@link Unprocessable} for other content. */
export function readWave(bytes: ByteReader): Wave {
  if (!isWave(bytes)) throw new Unprocessable('corrupt', 'not WAV')
  let format: Omit<Wave, 'start' | 'frames'> | undefined
  let offset = 12
  for (let chunks = 0; chunks < chunksMax; chunks += 1) {
    const header = bytes.read(offset, 8)
    const name = header.toString('latin1', 0, 4)
    const size = header.readUInt32LE(4)
    const start = offset + 8
    if (name === 'fmt ') format = readFormat(bytes.read(start, Math.min(size, 40)))
    if (name === 'data' && format) {
      const available = bytes.sizeBytes - start
      const length = unknownSizes.has(size) ? available : Math.min(size, available)
      return { ...format, start, frames: Math.floor(length / format.frameBytes) }
    }
    offset = start + size + (size & 1)
  }
  throw new Unprocessable('too_complex', 'too many chunks')
}

export function isWave(bytes: ByteReader): boolean {
  const head = bytes.readUpTo(0, 12).toString('latin1')
  return head.startsWith('RIFF') && head.endsWith('WAVE')
}

function readFormat(header: Buffer): Omit<Wave, 'start' | 'frames'> {
  if (header.length < 16) throw new Unprocessable('corrupt', 'a short format')
  const declared = header.readUInt16LE(0)
  const kind = declared === formats.extended && header.length >= 26 ? header.readUInt16LE(24) : declared
  const channels = header.readUInt16LE(2)
  const frameBytes = header.readUInt16LE(12)
  const bits = header.readUInt16LE(14)
  const sampleAt = samplesOf(kind, bits)
  if (!sampleAt || channels < 1 || channels > channelsMax || frameBytes !== (channels * bits) / 8) {
    throw new Unprocessable('unsupported_codec', 'unknown samples')
  }
  return { frameBytes, sampleBytes: bits / 8, sampleAt }
}

function samplesOf(kind: number, bits: number): Wave['sampleAt'] | undefined {
  switch (`${kind} ${bits}`) {
    case `${formats.integer} 8`:
      return (bytes, offset) => (bytes.readUInt8(offset) - 128) / 128
    case `${formats.integer} 16`:
    case `${formats.integer} 24`:
    case `${formats.integer} 32`:
      return (bytes, offset) => bytes.readIntLE(offset, bits / 8) / 2 ** (bits - 1)
    case `${formats.float} 32`:
      return (bytes, offset) => bytes.readFloatLE(offset)
    case `${formats.float} 64`:
      return (bytes, offset) => bytes.readDoubleLE(offset)
    default:
      return undefined
  }
}
