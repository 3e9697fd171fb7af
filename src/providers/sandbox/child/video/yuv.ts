import type { Pixels } from '../image/raster.ts'

/** A YUV 4:2:0 picture: luma per pixel, two chroma planes of half the width and height. Sides are even. */
export type Planes = { width: number; height: number; y: Uint8Array; u: Uint8Array; v: Uint8Array }

/** BT.601, limited range, in integers. Four pixels have the chroma of the upper left one. */
export function toPlanes({ data, width, height, channels }: Pixels): Planes {
  const planes = { width, height, y: new Uint8Array(width * height), u: halfPlane(width, height), v: halfPlane(width, height) }
  for (let row = 0; row < height; row += 1) {
    for (let column = 0; column < width; column += 1) {
      const at = row * width + column
      const [red, green, blue] = [data[at * channels] ?? 0, data[at * channels + 1] ?? 0, data[at * channels + 2] ?? 0]
      planes.y[at] = 16 + ((66 * red + 129 * green + 25 * blue + 128) >> 8)
      if (row % 2 === 1 || column % 2 === 1) continue
      const half = (row >> 1) * (width >> 1) + (column >> 1)
      planes.u[half] = 128 + ((-38 * red - 74 * green + 112 * blue + 128) >> 8)
      planes.v[half] = 128 + ((112 * red - 94 * green - 18 * blue + 128) >> 8)
    }
  }
  return planes
}

function halfPlane(width: number, height: number): Uint8Array {
  return new Uint8Array((width >> 1) * (height >> 1))
}
