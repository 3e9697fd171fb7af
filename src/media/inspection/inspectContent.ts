import { detectFormat, headBytes } from '../detectFormat.ts'
import { type Inspected, refuseDetected, unsupported } from '../inspected.ts'
import { type FormatName, mayMean, mediaFormats } from '../mediaFormats.ts'
import { inspectGlb, inspectGltf } from './inspectGltf.ts'
import { inspectHeif } from './inspectHeif.ts'
import { inspectAvif, inspectImage } from './inspectImage.ts'
import { inspectMp3 } from './inspectMp3.ts'
import { inspectObj } from './inspectObj.ts'
import { inspectStl } from './inspectStl.ts'
import { inspectTimed } from './inspectTimed.ts'
import { inspectUsdz } from './inspectUsdz.ts'
import { type Bytes, openBytes } from './openBytes.ts'
import { skipId3 } from './skipId3.ts'
import { Unprocessable } from './unprocessable.ts'

/**
 * Reads the file at `path` through: recognises it, holds it against `declaredMimeType`, and measures or checks what its format
 * allows. Runs in a process of its own, since hostile content may take it down. Rejects only when the file cannot be read.
 */
export async function inspectContent(path: string, declaredMimeType: string | undefined): Promise<Inspected> {
  const bytes = openBytes(path)
  try {
    const detected = await detectFormat(readHead(bytes), bytes.sizeBytes)
    const [format] = detected.candidates
    const refused = refuseDetected(detected, declaredMimeType)
    if (refused !== undefined || format === undefined) return refused ?? unsupported(detected.mimeType, declaredMimeType)
    const found = await readers[format](bytes)
    // What the signature left open is settled now: an MP4 without pictures is M4A, a WebM without pictures is nothing accepted.
    if (found.format === undefined) return unsupported(found.mimeType, declaredMimeType)
    const { type, mimeType } = mediaFormats[found.format]
    if (declaredMimeType !== undefined && !mayMean(declaredMimeType, found.format)) return unsupported(mimeType, declaredMimeType)
    return { ok: true, type, mimeType, width: found.width, height: found.height, durationSeconds: found.durationSeconds }
  } catch (error) {
    if (isSystemError(error)) throw error
    // Readers of hostile content fail in ways that nobody foresaw; all of them mean that it cannot be used.
    return { ok: false, refusal: 'file_processing_failed', cause: error instanceof Unprocessable ? error.reason : 'corrupt' }
  } finally {
    bytes.close()
  }
}

type Found =
  | { format: FormatName; width: number | null; height: number | null; durationSeconds: number | null }
  | { format: undefined; mimeType: string }

const readers: Record<FormatName, (bytes: Bytes) => Found | Promise<Found>> = {
  png: (bytes) => picture(bytes, 'png'),
  jpeg: (bytes) => picture(bytes, 'jpeg'),
  webp: (bytes) => picture(bytes, 'webp'),
  gif: (bytes) => picture(bytes, 'gif'),
  avif: async (bytes) => ({ format: 'avif', ...(await inspectAvif(bytes)), durationSeconds: null }),
  heic: (bytes) => ({ format: 'heic', ...inspectHeif(bytes), durationSeconds: null }),
  mp4: isoMedia,
  m4a: isoMedia,
  mov: (bytes) => video(bytes, 'mov', 'audio/quicktime'),
  webm: (bytes) => video(bytes, 'webm', 'audio/webm'),
  mp3: (bytes) => ({ format: 'mp3', width: null, height: null, ...inspectMp3(bytes) }),
  wav: async (bytes) => ({ format: 'wav', ...(await inspectTimed(bytes, 'wav')) }),
  flac: async (bytes) => ({ format: 'flac', ...(await inspectTimed(bytes, 'flac')) }),
  ogg: async (bytes) => ({ format: 'ogg', ...(await inspectTimed(bytes, 'ogg')) }),
  glb: (bytes) => model(bytes, 'glb', inspectGlb),
  gltf: (bytes) => (inspectGltf(bytes) ? { format: 'gltf', ...unmeasured } : { format: undefined, mimeType: 'application/json' }),
  obj: (bytes) => model(bytes, 'obj', inspectObj),
  stl: (bytes) => model(bytes, 'stl', inspectStl),
  usdz: (bytes) => model(bytes, 'usdz', inspectUsdz),
}

async function picture(bytes: Bytes, format: 'png' | 'jpeg' | 'webp' | 'gif'): Promise<Found> {
  return { format, ...(await inspectImage(bytes, format)), durationSeconds: null }
}

async function isoMedia(bytes: Bytes): Promise<Found> {
  const media = await inspectTimed(bytes, 'mp4')
  return { format: media.width === null ? 'm4a' : 'mp4', ...media }
}

/** A container that is accepted for its pictures only; `soundType` names it without. */
async function video(bytes: Bytes, format: 'mov' | 'webm', soundType: string): Promise<Found> {
  const media = await inspectTimed(bytes, format)
  return media.width === null ? { format: undefined, mimeType: soundType } : { format, ...media }
}

const unmeasured = { width: null, height: null, durationSeconds: null }

function model(bytes: Bytes, format: FormatName, check: (bytes: Bytes) => void): Found {
  check(bytes)
  return { format, ...unmeasured }
}

/** The first bytes, with a long music tag cut out that would hide the audio behind it. */
function readHead(bytes: Bytes): Buffer {
  const audio = skipId3(bytes)
  if (audio === 0) return bytes.readUpTo(0, headBytes)
  return Buffer.concat([Buffer.from('ID3\x04\0\0\0\0\0\0', 'latin1'), bytes.readUpTo(audio, headBytes)])
}

function isSystemError(error: unknown): boolean {
  return error instanceof Error && 'syscall' in error
}
