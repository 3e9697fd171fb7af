import { type Detected, detectFormat } from './detectFormat.ts'
import { inspectContent } from './inspection/inspectContent.ts'
import { decodedAvifPixelsMax } from './inspection/inspectImage.ts'
import type { MediaLimits } from './inspection/mediaLimits.ts'
import { imageFromPixels, openImage } from './inspection/openImage.ts'
import { Unprocessable } from './inspection/unprocessable.ts'
import type { InspectionResult } from './inspectionResult.ts'

/** `name` is the file name in the worker's folder. */
export type InspectionTask =
  | { kind: 'recognise'; head: Uint8Array }
  | { kind: 'inspect'; name: string; declaredMimeTypes: string[]; limits: MediaLimits }
  | { kind: 'preview'; name: string; limits: PreviewLimits }

export type InspectionAnswer =
  | { kind: 'recognised'; detected: Detected }
  | { kind: 'inspected'; inspected: InspectionResult }
  | { kind: 'previewed'; jpeg: Uint8Array | null }

/** Runs one task in a worker of the inspector. Rejects only when the file cannot be read. */
export async function work(task: InspectionTask): Promise<InspectionAnswer> {
  switch (task.kind) {
    case 'recognise':
      return { kind: 'recognised', detected: await detectFormat(Buffer.from(task.head)) }
    case 'inspect':
      return { kind: 'inspected', inspected: await inspectContent(task.name, task) }
    case 'preview':
      // A decoder error means that there is no preview.
      return { kind: 'previewed', jpeg: await renderPreview(task.name, task.limits).catch(() => null) }
  }
}

/** `sideMax`: the longest side in pixels. */
type PreviewLimits = MediaLimits & { bytesMax: number; sideMax: number }

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
 * Renders the picture at `path` as a JPEG of at most `bytesMax`: upright, never enlarged, without metadata. All models and clients read
 * JPEG.
 * Runs in a separate process. Throws {@link Unprocessable} and errors of the decoder.
 */
async function renderPreview(path: string, { bytesMax, sideMax, ...limits }: PreviewLimits): Promise<Buffer> {
  const source = openImage(path, limits)
  const { format, width, height } = await source.metadata()
  if (format === 'heif' && width * height > decodedAvifPixelsMax) throw new Unprocessable('too_many_pixels', `${width} by ${height}`)
  const decoded = source.autoOrient().resize(fitWithin(sideMax)).flatten({ background }).toColourspace('srgb')
  const { data, info } = await decoded.raw().toBuffer({ resolveWithObject: true })
  for (const { side, quality } of attempts) {
    const jpeg = await imageFromPixels(data, info)
      .resize(fitWithin(Math.min(side, sideMax)))
      .jpeg({ quality })
      .toBuffer()
    if (jpeg.length <= bytesMax) return jpeg
  }
  throw new Unprocessable('too_complex', 'no preview is small enough')
}

function fitWithin(side: number) {
  return { width: side, height: side, fit: 'inside', withoutEnlargement: true } as const
}
