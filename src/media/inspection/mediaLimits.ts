import { Unprocessable } from './unprocessable.ts'

/** Maximum size of content. */
export type MediaLimits = { imagePixelsMax: number }

export function requirePixels({ width, height }: { width: number; height: number }, { imagePixelsMax }: MediaLimits): void {
  if (width * height > imagePixelsMax) throw new Unprocessable('too_many_pixels', `${width} by ${height}`)
}
