import type { ImageLimits, RenderInput } from '../../renderTask.ts'
import { fromPixels, type PictureSize, type Pixels, readInputImage, toPixels } from './raster.ts'

type Cell = { left: number; top: number; width: number; height: number }

/**
 * Arranges one to four input images on the canvas in reading order: one fills it, two and three are side by side, four are in two rows.
 * Throws `InputRefused` for an unusable image.
 */
export async function collage(inputs: RenderInput[], size: PictureSize, limits: ImageLimits): Promise<Pixels> {
  const cells = cellsFor(inputs.length, size)
  const pieces = []
  for (const [index, cell] of cells.entries()) {
    const input = inputs[index]
    if (!input) continue
    const { data, width, height, channels } = await readInputImage(input, cell, limits)
    pieces.push({ input: data, raw: { width, height, channels }, left: cell.left, top: cell.top })
  }
  const background = { ...size, data: Buffer.alloc(size.width * size.height * 3), channels: 3 as const }
  return toPixels(fromPixels(background).composite(pieces), { alpha: false })
}

function cellsFor(count: number, { width, height }: PictureSize): Cell[] {
  const columns = count === 4 ? 2 : Math.max(1, Math.min(count, 3))
  const rows = Math.max(1, Math.ceil(count / columns))
  return Array.from({ length: count }, (_, index) => {
    const [column, row] = [index % columns, Math.floor(index / columns)]
    const [left, top] = [Math.round((column * width) / columns), Math.round((row * height) / rows)]
    const [right, bottom] = [Math.round(((column + 1) * width) / columns), Math.round(((row + 1) * height) / rows)]
    return { left, top, width: right - left, height: bottom - top }
  })
}
