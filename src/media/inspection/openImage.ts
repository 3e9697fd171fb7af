import sharp, { type Sharp, type SharpOptions } from 'sharp'
import type { MediaLimits } from './mediaLimits.ts'

sharp.cache(false)
sharp.concurrency(1)
// Everything is closed first, so that a loader which a later release adds stays closed.
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

/** The picture of a file, its size not judged: for its header alone. */
export function openImageHeader(path: string): Sharp {
  return sharp(path, { limitInputPixels: false })
}

/** The picture of a file, of an animation the first frame, to be decoded row by row. What is broken in it is an error. */
export function openImage(path: string, { imagePixelsMax }: MediaLimits): Sharp {
  return sharp(path, { failOn: 'error', limitInputPixels: imagePixelsMax, sequentialRead: true, pages: 1 })
}

/** The picture that was decoded into these bytes. */
export function imageFromPixels(pixels: Buffer, raw: NonNullable<SharpOptions['raw']>): Sharp {
  return sharp(pixels, { raw })
}
