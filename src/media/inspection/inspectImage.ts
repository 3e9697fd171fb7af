import type { FormatName } from '../mediaFormats.ts'
import { checkImageComplete } from './checkImageComplete.ts'
import { inspectHeif } from './inspectHeif.ts'
import { type MediaLimits, requirePixels } from './mediaLimits.ts'
import type { ByteReader } from './openByteReader.ts'
import { openImage, openImageHeader } from './openImage.ts'
import { Unprocessable } from './unprocessable.ts'

type DecodedFormat = Extract<FormatName, 'png' | 'jpeg' | 'webp' | 'gif' | 'avif'>

const decoderNames: Record<DecodedFormat, string> = { png: 'png', jpeg: 'jpeg', webp: 'webp', gif: 'gif', avif: 'heif' }

type Size = { width: number; height: number }

/**
 * Decodes the whole image, the first frame of an animation, and returns its size in pixels as it is shown, turned where its
 * metadata says so. A reading of the header alone would pass files whose picture is cut off.
 */
export async function inspectImage(bytes: ByteReader, format: Exclude<DecodedFormat, 'avif'>, limits: MediaLimits): Promise<Size> {
  checkImageComplete(bytes, format)
  const header = await openImageHeader(bytes.path).metadata()
  const { width, height } = header.autoOrient
  requirePixels({ width, height }, limits)
  await decode(bytes, format, limits)
  return { width, height }
}

/** Beyond that a picture of this format is not decoded at all. */
export const decodedAvifPixelsMax = 16_000_000
const decodedAvifBytesMax = 6 * 1024 * 1024

/**
 * As {@link inspectImage}. Large pictures are judged by their structure alone: decoding takes twenty bytes a pixel, two gigabytes at the
 * limit, and many seconds for the rich ones.
 */
export async function inspectAvif(bytes: ByteReader, limits: MediaLimits): Promise<Size> {
  const size = inspectHeif(bytes, limits)
  if (size.width * size.height <= decodedAvifPixelsMax && bytes.sizeBytes <= decodedAvifBytesMax) await decode(bytes, 'avif', limits)
  return size
}

async function decode(bytes: ByteReader, format: DecodedFormat, limits: MediaLimits): Promise<void> {
  const image = openImage(bytes.path, limits)
  const header = await image.metadata()
  if (header.format !== decoderNames[format]) throw new Unprocessable('corrupt', `decodes as ${header.format}`)
  // A few pixels are kept, so that the picture is never held as a whole. JPEG keeps its height: its last rows would not be read
  // else.
  const height = format === 'jpeg' ? header.height : 8
  try {
    await image.resize(8, height, { fit: 'fill' }).raw().toBuffer()
  } catch (error) {
    const isCutOff = error instanceof Error && /premature end|truncated/i.test(error.message)
    throw new Unprocessable(isCutOff ? 'truncated' : 'corrupt', 'the picture does not decode')
  }
}
