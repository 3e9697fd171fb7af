import type { Failure } from '../../contract/failures/failures.ts'
import type { ImageLimits } from './renderTask.ts'

/** Checks the size of an input image in pixels. Returns the failure that a real model would report. */
export function checkImageSize(size: { width: number; height: number }, limits: ImageLimits): Failure | undefined {
  const { width, height } = size
  const { minWidth, maxWidth, minHeight, maxHeight, maxPixels, minAspectRatio, maxAspectRatio } = limits
  if (width < minWidth || height < minHeight) {
    return { code: 'image_size', reason: 'image_too_small', details: { minWidth, minHeight, width, height } }
  }
  if (width > maxWidth || height > maxHeight || width * height > maxPixels) {
    return { code: 'image_size', reason: 'image_too_large', details: { maxWidth, maxHeight, maxPixels, width, height } }
  }
  if (width / height < minAspectRatio || width / height > maxAspectRatio) {
    return { code: 'image_size', reason: 'aspect_ratio_rejected', details: { minAspectRatio, maxAspectRatio, width, height } }
  }
  return undefined
}
