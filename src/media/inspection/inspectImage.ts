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
 * Decodes the whole image, or the first frame of an animation, and returns its displayed size in pixels. Reading only the header would
 * accept truncated files.
 */
export async function inspectImage(bytes: ByteReader, format: Exclude<DecodedFormat, 'avif'>, limits: MediaLimits): Promise<Size> {
  checkImageComplete(bytes, format)
  const header = await openImageHeader(bytes.path).metadata()
  const { width, height } = header.autoOrient
  requirePixels({ width, height }, limits)
  await decode(bytes, format, limits)
  return { width, height }
}

/** Larger pictures of this format are not decoded. */
export const decodedAvifPixelsMax = 16_000_000
const decodedAvifBytesMax = 6 * 1024 * 1024

/**
 * Like {@link inspectImage}. Large pictures are only checked by their structure: decoding takes 20 bytes per pixel, two gigabytes at the
 * limit, and many seconds for complex pictures.
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
  // Decodes to a few pixels, so that the picture is never in memory as a whole. JPEG keeps its height, because its last rows would not be
  // read otherwise.
  const height = format === 'jpeg' ? header.height : 8
  try {
    await image.resize(8, height, { fit: 'fill' }).raw().toBuffer()
  } catch (error) {
    const isCutOff = error instanceof Error && /premature end|truncated/i.test(error.message)
    throw new Unprocessable(isCutOff ? 'truncated' : 'corrupt', 'the picture does not decode')
  }
}
