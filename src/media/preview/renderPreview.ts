import { decodedAvifPixelsMax } from '../inspection/inspectImage.ts'
import type { MediaLimits } from '../inspection/mediaLimits.ts'
import { openByteReader } from '../inspection/openByteReader.ts'
import { imageFromPixels, openImage } from '../inspection/openImage.ts'
import { Unprocessable } from '../inspection/unprocessable.ts'
import { isWave } from './readWave.ts'
import { renderWaveform } from './renderWaveform.ts'

/** `sideMax`: the longest side in pixels. */
export type PreviewLimits = MediaLimits & { bytesMax: number; sideMax: number }

/** Longest side in pixels and JPEG quality, in order of preference. Even noise fits with the last one. */
const attempts = [
  { side: 1024, quality: 80 },
  { side: 1024, quality: 60 },
  { side: 768, quality: 60 },
  { side: 512, quality: 60 },
  { side: 256, quality: 50 },
]

/** JPEG has no transparency. White and black drawings are visible on grey. */
const background = '#808080'

/**
 * Renders the picture or the WAV file at `path` as a JPEG of at most `bytesMax`: upright, never enlarged, without metadata. All models and
 * clients read JPEG. Runs in a separate process. Throws {@link Unprocessable} and errors of the decoder.
 */
export async function renderPreview(path: string, { bytesMax, sideMax, ...limits }: PreviewLimits): Promise<Buffer> {
  const { data, info } = waveformOf(path) ?? (await decodeImage(path, { sideMax, limits }))
  for (const { side, quality } of attempts) {
    const jpeg = await imageFromPixels(data, info)
      .resize(fitWithin(Math.min(side, sideMax)))
      .jpeg({ quality })
      .toBuffer()
    if (jpeg.length <= bytesMax) return jpeg
  }
  throw new Unprocessable('too_complex', 'no preview is small enough')
}

type Pixels = { data: Buffer; info: { width: number; height: number; channels: 1 | 2 | 3 | 4 } }

function waveformOf(path: string): Pixels | undefined {
  const bytes = openByteReader(path)
  try {
    return isWave(bytes) ? renderWaveform(bytes) : undefined
  } finally {
    bytes.close()
  }
}

async function decodeImage(path: string, { sideMax, limits }: { sideMax: number; limits: MediaLimits }): Promise<Pixels> {
  const source = openImage(path, limits)
  const { format, width, height } = await source.metadata()
  if (format === 'heif' && width * height > decodedAvifPixelsMax) throw new Unprocessable('too_many_pixels', `${width} by ${height}`)
  const decoded = source.autoOrient().resize(fitWithin(sideMax)).flatten({ background }).toColourspace('srgb')
  return await decoded.raw().toBuffer({ resolveWithObject: true })
}

function fitWithin(side: number) {
  return { width: side, height: side, fit: 'inside', withoutEnlargement: true } as const
}
