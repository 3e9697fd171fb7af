import { detectFormat, headBytes } from '../detectFormat.ts'
import { checkDeclaredType, type InspectionResult, unsupported } from '../inspectionResult.ts'
import { type FormatName, mediaFormats, mimeTypeMatches } from '../mediaFormats.ts'
import { inspectAudioVideo } from './inspectAudioVideo.ts'
import { inspectGlb, inspectGltf } from './inspectGltf.ts'
import { inspectHeif } from './inspectHeif.ts'
import { inspectAvif, inspectImage } from './inspectImage.ts'
import { inspectMp3 } from './inspectMp3.ts'
import { inspectObj } from './inspectObj.ts'
import { inspectStl } from './inspectStl.ts'
import { inspectUsdz } from './inspectUsdz.ts'
import type { MediaLimits } from './mediaLimits.ts'
import { type ByteReader, openByteReader } from './openByteReader.ts'
import { skipId3 } from './skipId3.ts'
import { Unprocessable } from './unprocessable.ts'

/**
 * Reads the whole file at `path`: recognises it, compares it with `declaredMimeTypes`, and measures or checks it by its format. Runs in a
 * separate process, because hostile content may crash it. Rejects only when the file cannot be read.
 */
export async function inspectContent(path: string, { declaredMimeTypes, limits }: InspectContentOptions): Promise<InspectionResult> {
  const bytes = openByteReader(path)
  try {
    const detected = await detectFormat(readHead(bytes), bytes.sizeBytes)
    const [format] = detected.candidates
    const refused = checkDeclaredType(detected, declaredMimeTypes)
    if (refused !== undefined || format === undefined) return refused ?? unsupported(detected.mimeType, undefined)
    const found = await readers[format](bytes, limits)
    // Now the tracks are known: an MP4 without video is M4A, a WebM without video is not accepted.
    const foundFormat = found.format
    if (foundFormat === undefined) return unsupported(found.mimeType, declaredMimeTypes[0])
    const { type, mimeType } = mediaFormats[foundFormat]
    const contradicting = declaredMimeTypes.find((declared) => !mimeTypeMatches(declared, foundFormat))
    if (contradicting !== undefined) return unsupported(mimeType, contradicting)
    return { ok: true, type, mimeType, width: found.width, height: found.height, durationSeconds: found.durationSeconds }
  } catch (error) {
    if (isSystemError(error)) throw error
    // Hostile content makes readers fail in unexpected ways. Every failure means that the file cannot be used.
    return { ok: false, refusal: 'file_processing_failed', cause: error instanceof Unprocessable ? error.reason : 'corrupt' }
  } finally {
    bytes.close()
  }
}

type InspectContentOptions = { declaredMimeTypes: readonly string[]; limits: MediaLimits }

type Found =
  | { format: FormatName; width: number | null; height: number | null; durationSeconds: number | null }
  | { format: undefined; mimeType: string }

const readers: Record<FormatName, (bytes: ByteReader, limits: MediaLimits) => Found | Promise<Found>> = {
  png: (bytes, limits) => picture(bytes, 'png', limits),
  jpeg: (bytes, limits) => picture(bytes, 'jpeg', limits),
  webp: (bytes, limits) => picture(bytes, 'webp', limits),
  gif: (bytes, limits) => picture(bytes, 'gif', limits),
  avif: async (bytes, limits) => ({ format: 'avif', ...(await inspectAvif(bytes, limits)), durationSeconds: null }),
  heic: (bytes, limits) => ({ format: 'heic', ...inspectHeif(bytes, limits), durationSeconds: null }),
  mp4: isoMedia,
  m4a: isoMedia,
  mov: (bytes, limits) => video(bytes, { format: 'mov', soundType: 'audio/quicktime' }, limits),
  webm: (bytes, limits) => video(bytes, { format: 'webm', soundType: 'audio/webm' }, limits),
  mp3: (bytes) => ({ format: 'mp3', width: null, height: null, ...inspectMp3(bytes) }),
  wav: async (bytes, limits) => ({ format: 'wav', ...(await inspectAudioVideo(bytes, 'wav', limits)) }),
  flac: async (bytes, limits) => ({ format: 'flac', ...(await inspectAudioVideo(bytes, 'flac', limits)) }),
  ogg: async (bytes, limits) => ({ format: 'ogg', ...(await inspectAudioVideo(bytes, 'ogg', limits)) }),
  glb: (bytes) => model(bytes, 'glb', inspectGlb),
  gltf: (bytes) => (inspectGltf(bytes) ? { format: 'gltf', ...unmeasured } : { format: undefined, mimeType: 'application/json' }),
  obj: (bytes) => model(bytes, 'obj', inspectObj),
  stl: (bytes) => model(bytes, 'stl', inspectStl),
  usdz: (bytes) => model(bytes, 'usdz', inspectUsdz),
}

async function picture(bytes: ByteReader, format: 'png' | 'jpeg' | 'webp' | 'gif', limits: MediaLimits): Promise<Found> {
  return { format, ...(await inspectImage(bytes, format, limits)), durationSeconds: null }
}

async function isoMedia(bytes: ByteReader, limits: MediaLimits): Promise<Found> {
  const media = await inspectAudioVideo(bytes, 'mp4', limits)
  return { format: media.width === null ? 'm4a' : 'mp4', ...media }
}

/** Containers that are accepted only with video; `soundType` is their type without it. */
async function video(
  bytes: ByteReader,
  { format, soundType }: { format: 'mov' | 'webm'; soundType: string },
  limits: MediaLimits,
): Promise<Found> {
  const media = await inspectAudioVideo(bytes, format, limits)
  return media.width === null ? { format: undefined, mimeType: soundType } : { format, ...media }
}

const unmeasured = { width: null, height: null, durationSeconds: null }

function model(bytes: ByteReader, format: FormatName, check: (bytes: ByteReader) => void): Found {
  check(bytes)
  return { format, ...unmeasured }
}

/** The first bytes of the file. A long ID3 tag is removed, because it would hide the audio after it. */
function readHead(bytes: ByteReader): Buffer {
  const audio = skipId3(bytes)
  if (audio === 0) return bytes.readUpTo(0, headBytes)
  return Buffer.concat([Buffer.from('ID3\x04\0\0\0\0\0\0', 'latin1'), bytes.readUpTo(audio, headBytes)])
}

function isSystemError(error: unknown): boolean {
  return error instanceof Error && 'syscall' in error
}
