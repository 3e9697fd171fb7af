import { decodedAvifPixelsMax } from './inspectImage.ts'
import type { MediaLimits } from './mediaLimits.ts'
import { imageFromPixels, openImage } from './openImage.ts'
import { Unprocessable } from './unprocessable.ts'

export type PreviewLimits = MediaLimits & { bytesMax: number }

const sideMax = 1024
/** Longest side in pixels and JPEG quality, tried in turn; even noise fits at the last. */
const attempts = [
  { side: sideMax, quality: 80 },
  { side: sideMax, quality: 60 },
  { side: 768, quality: 60 },
  { side: 512, quality: 60 },
  { side: 256, quality: 50 },
]

/** JPEG has no transparency: neither white nor black drawings vanish on it. */
const background = '#808080'

/**
 * The picture at `path` as a JPEG of at most `bytesMax`, turned as it is shown and never enlarged, without anything that the file says
 * of itself. JPEG is the one format that every model and client reads. Runs in a process of its own. Throws {@link Unprocessable} and
 * what the decoder throws.
 */
export async function renderPreview(path: string, { bytesMax, ...limits }: PreviewLimits): Promise<Buffer> {
  const source = openImage(path, limits)
  const { format, width, height } = await source.metadata()
  if (format === 'heif' && width * height > decodedAvifPixelsMax) throw new Unprocessable('too_many_pixels', `${width} by ${height}`)
  const decoded = source.autoOrient().resize(inside(sideMax)).flatten({ background }).toColourspace('srgb')
  const { data, info } = await decoded.raw().toBuffer({ resolveWithObject: true })
  for (const { side, quality } of attempts) {
    const made = await imageFromPixels(data, info).resize(inside(side)).jpeg({ quality }).toBuffer()
    if (made.length <= bytesMax) return made
  }
  throw new Unprocessable('too_complex', 'no preview is small enough')
}

function inside(side: number) {
  return { width: side, height: side, fit: 'inside', withoutEnlargement: true } as const
}
