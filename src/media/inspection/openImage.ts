import sharp, { type Sharp, type SharpOptions } from 'sharp'
import type { MediaLimits } from './mediaLimits.ts'

sharp.cache(false)
sharp.concurrency(1)
// Blocks all loaders first, so that loaders of later releases stay blocked.
sharp.block({ operation: ['VipsForeignLoad'] })
sharp.unblock({
  operation: [
    'VipsForeignLoadPngFile',
    'VipsForeignLoadJpegFile',
    'VipsForeignLoadWebpFile',
    'VipsForeignLoadNsgifFile',
    'VipsForeignLoadHeifFile',
  ],
})

/** Opens an image to read its header. Its size is not limited. */
export function openImageHeader(path: string): Sharp {
  return sharp(path, { limitInputPixels: false })
}

/** Opens an image, or the first frame of an animation, for decoding row by row. Broken content is an error. */
export function openImage(path: string, { imagePixelsMax }: MediaLimits): Sharp {
  return sharp(path, { failOn: 'error', limitInputPixels: imagePixelsMax, sequentialRead: true, pages: 1 })
}

/** An image from decoded pixels. */
export function imageFromPixels(pixels: Buffer, raw: NonNullable<SharpOptions['raw']>): Sharp {
  return sharp(pixels, { raw })
}
