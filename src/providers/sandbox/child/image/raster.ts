import sharp, { type Sharp } from 'sharp'
import { checkImageSize } from '../../checkImageSize.ts'
import type { ImageLimits, RenderInput } from '../../renderTask.ts'
import { InputRefused } from '../inputRefused.ts'

// Inputs are files and our own drawings are buffers. SVG is loaded only from buffers, so an input is never parsed as SVG.
sharp.cache(false)
sharp.concurrency(1)
sharp.block({ operation: ['VipsForeignLoad'] })
sharp.unblock({
  operation: [
    'VipsForeignLoadPngFile',
    'VipsForeignLoadJpegFile',
    'VipsForeignLoadWebpFile',
    'VipsForeignLoadNsgifFile',
    'VipsForeignLoadHeifFile',
    'VipsForeignLoadSvgBuffer',
  ],
})

export type PictureSize = { width: number; height: number }

/** Pixels in rows from the top: three bytes each, or four with transparency. */
export type Pixels = PictureSize & { data: Buffer; channels: 3 | 4 }

/** Draws SVG elements on a canvas of exactly this size. */
export function draw(elements: string, { width, height }: PictureSize): Sharp {
  return sharp(Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">${elements}</svg>`))
}

export function fromPixels({ data, width, height, channels }: Pixels): Sharp {
  return sharp(data, { raw: { width, height, channels } })
}

export async function toPixels(picture: Sharp, { alpha }: { alpha: boolean }): Promise<Pixels> {
  const opaque = alpha ? picture.ensureAlpha() : picture.flatten().removeAlpha()
  const { data, info } = await opaque.toColourspace('srgb').raw({ depth: 'uchar' }).toBuffer({ resolveWithObject: true })
  return { data, width: info.width, height: info.height, channels: alpha ? 4 : 3 }
}

/**
 * Decodes an input image, upright and cropped to fill `size`.
 * Throws {@link InputRefused} when it cannot be decoded completely or its own size is outside the limits.
 */
export async function readInputImage(input: RenderInput, size: PictureSize, limits: ImageLimits): Promise<Pixels> {
  const picture = await openInputImage(input, limits)
  const fitted = picture.resize({ ...size, fit: 'cover' }).flatten({ background: '#808080' })
  return toPixels(fitted, { alpha: false }).catch(refuseUnreadable)
}

/** Decodes an input image, upright and in its own size. Throws like {@link readInputImage}. */
export async function readWholeImage(input: RenderInput, limits: ImageLimits): Promise<Pixels> {
  return toPixels(await openInputImage(input, limits), { alpha: true }).catch(refuseUnreadable)
}

async function openInputImage(input: RenderInput, limits: ImageLimits): Promise<Sharp> {
  const picture = sharp(input.path, { failOn: 'error', limitInputPixels: limits.maxPixels, pages: 1 })
  const { width, height } = await picture.metadata().catch(refuseUnreadable)
  const failure = checkImageSize({ width, height }, limits)
  if (failure) throw new InputRefused(failure)
  return picture.autoOrient()
}

function refuseUnreadable(cause: unknown): never {
  throw new InputRefused({ code: 'image_format', reason: 'image_unreadable' }, { cause })
}
