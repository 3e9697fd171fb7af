import type { ByteReader } from './openByteReader.ts'
import { skipId3 } from './skipId3.ts'
import { Unprocessable } from './unprocessable.ts'

/** A frame by its four header bytes. `stream` is the same for all frames of a file. */
type Frame = { stream: number; sizeBytes: number; samples: number; rate: number; isMono: boolean; isVersion1: boolean }

/**
 * Walks the frames of an MP3 and sums up their durations. An incomplete last frame, or fewer frames than the index in the first frame
 * says, is `truncated`. Foreign bytes between frames are skipped, as players do.
 */
export function inspectMp3(bytes: ByteReader): { durationSeconds: number } {
  let offset = findFrame(bytes, skipId3(bytes), undefined)
  const first = offset === undefined ? undefined : readFrame(bytes, offset)
  if (offset === undefined || first === undefined) throw new Unprocessable('corrupt', 'no frame')
  const index = readIndex(bytes, offset, first)
  let frames = 0
  while (offset !== undefined) {
    const frame = readFrame(bytes, offset)
    if (frame?.stream !== first.stream) {
      if (isCutOff(bytes, offset)) throw new Unprocessable('truncated', 'the last frame is cut off')
      offset = findFrame(bytes, offset + 1, first.stream)
      continue
    }
    if (offset + frame.sizeBytes > bytes.sizeBytes) throw new Unprocessable('truncated', 'the last frame is cut off')
    frames += 1
    offset += frame.sizeBytes
  }
  const audioFrames = index === undefined ? frames : frames - 1
  // The index may count its own frame.
  if (index !== undefined && index.frames !== undefined && audioFrames < index.frames - 1) {
    throw new Unprocessable('truncated', 'fewer frames than the index says')
  }
  if (audioFrames < 1) throw new Unprocessable('no_content', 'no sound')
  return { durationSeconds: Math.round(((audioFrames * first.samples) / first.rate) * 1e6) / 1e6 }
}

const bitrates = [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320]
const lowBitrates = [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160]
const rates = [44_100, 48_000, 32_000]
/** Divisors of the sampling rates, by the version bits. */
const rateDivisors = [4, undefined, 2, 1]

function readFrame(bytes: ByteReader, offset: number): Frame | undefined {
  const header = bytes.readUpTo(offset, 4)
  return header.length < 4 ? undefined : parseHeader(header.readUInt32BE(0))
}

function parseHeader(header: number): Frame | undefined {
  const divisor = rateDivisors[(header >>> 19) & 3]
  const fullRate = rates[(header >>> 10) & 3]
  const isVersion1 = divisor === 1
  const bitrate = (isVersion1 ? bitrates : lowBitrates)[(header >>> 12) & 15]
  const isLayer3 = header >>> 21 === 0x7ff && ((header >>> 17) & 3) === 1
  if (!isLayer3 || divisor === undefined || fullRate === undefined || !bitrate) return undefined
  const rate = fullRate / divisor
  const samples = isVersion1 ? 1152 : 576
  const sizeBytes = Math.floor((samples * bitrate * 125) / rate) + ((header >>> 9) & 1)
  return { stream: header & 0x1e_0c00, sizeBytes, samples, rate, isMono: ((header >>> 6) & 3) === 3, isVersion1 }
}

/** Small enough for the read-ahead window. */
const pieceBytes = 16_384

/** Finds the next frame from `from` that is followed by another frame or by the end of the file. */
function findFrame(bytes: ByteReader, from: number, stream: number | undefined): number | undefined {
  for (let offset = from; offset < bytes.sizeBytes; offset += pieceBytes) {
    const piece = bytes.readUpTo(offset, pieceBytes + 3)
    for (let at = piece.indexOf(0xff); at !== -1 && at < pieceBytes; at = piece.indexOf(0xff, at + 1)) {
      const frame = at + 4 <= piece.length ? parseHeader(piece.readUInt32BE(at)) : undefined
      if (frame === undefined || (stream !== undefined && frame.stream !== stream)) continue
      const end = offset + at + frame.sizeBytes
      if (end === bytes.sizeBytes || readFrame(bytes, end)?.stream === frame.stream) return offset + at
    }
  }
  return undefined
}

/** True for one to three bytes after a frame that begin like a header. */
function isCutOff(bytes: ByteReader, offset: number): boolean {
  const rest = bytes.readUpTo(offset, 4)
  return rest.length > 0 && rest.length < 4 && rest[0] === 0xff
}

/** The index that encoders write into a silent first frame, with its number of frames. */
function readIndex(bytes: ByteReader, offset: number, frame: Frame): { frames: number | undefined } | undefined {
  const sideBytes = frame.isVersion1 ? (frame.isMono ? 17 : 32) : frame.isMono ? 9 : 17
  const index = bytes.readUpTo(offset + 4 + sideBytes, 12)
  if (index.length < 12 || !['Xing', 'Info'].includes(index.toString('latin1', 0, 4))) return undefined
  return { frames: index.readUInt8(7) & 1 ? index.readUInt32BE(8) : undefined }
}
