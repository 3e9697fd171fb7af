import type { Failure } from '../../domain/failures.ts'
import type { ImageLimits } from './renderOrder.ts'

/** Judges the size of an input image in pixels: the failure that a real model would report, or nothing. */
export function imageVerdict(size: { width: number; height: number }, limits: ImageLimits): Failure | undefined {
  const { width, height } = size
  if (Math.min(width, height) < limits.sideMin) {
    return { code: 'image_size', reason: 'image_too_small', details: { minSide: limits.sideMin, width, height } }
  }
  if (Math.max(width, height) > limits.sideMax || width * height > limits.pixelsMax) {
    return {
      code: 'image_size',
      reason: 'image_too_large',
      details: { maxSide: limits.sideMax, maxPixels: limits.pixelsMax, width, height },
    }
  }
  return undefined
}
