import { inflateSync } from 'node:zlib'

export type Pixels = { width: number; height: number; at(column: number, row: number): [number, number, number] }

/** Reads 8-bit RGB and RGBA PNG files, independent of the library that wrote them. */
export function readPng(file: Buffer): Pixels {
  if (file.toString('latin1', 1, 4) !== 'PNG') throw new Error('not a PNG')
  const [width, height, depth, colourType] = [file.readUInt32BE(16), file.readUInt32BE(20), file[24], file[25]]
  if (depth !== 8 || (colourType !== 2 && colourType !== 6)) throw new Error(`depth ${depth}, colour type ${colourType}`)
  const channels = colourType === 6 ? 4 : 3
  const rows = unfiltered(inflateSync(Buffer.concat(chunksOf(file, 'IDAT'))), { stride: width * channels, height, channels })
  return {
    width,
    height,
    at: (column, row) => {
      const start = (row * width + column) * channels
      return [rows[start] ?? 0, rows[start + 1] ?? 0, rows[start + 2] ?? 0]
    },
  }
}

function chunksOf(file: Buffer, type: string): Buffer[] {
  const found: Buffer[] = []
  for (let at = 8; at < file.length; ) {
    const length = file.readUInt32BE(at)
    if (file.toString('latin1', at + 4, at + 8) === type) found.push(file.subarray(at + 8, at + 8 + length))
    at += length + 12
  }
  return found
}

function unfiltered(raw: Buffer, { stride, height, channels }: { stride: number; height: number; channels: number }): Uint8Array {
  const rows = new Uint8Array(stride * height)
  for (let row = 0; row < height; row += 1) {
    const filter = raw[row * (stride + 1)] ?? 0
    for (let offset = 0; offset < stride; offset += 1) {
      const here = row * stride + offset
      const left = offset >= channels ? (rows[here - channels] ?? 0) : 0
      const above = row > 0 ? (rows[here - stride] ?? 0) : 0
      const corner = row > 0 && offset >= channels ? (rows[here - stride - channels] ?? 0) : 0
      const guess = [0, left, above, (left + above) >> 1, paeth(left, above, corner)][filter] ?? 0
      rows[here] = (raw[row * (stride + 1) + 1 + offset] ?? 0) + guess
    }
  }
  return rows
}

function paeth(left: number, above: number, corner: number): number {
  const [a, b, c] = [Math.abs(above - corner), Math.abs(left - corner), Math.abs(left + above - 2 * corner)]
  return a <= b && a <= c ? left : b <= c ? above : corner
}

/** The mean colour of a part of the picture; the part in fractions of its sides. */
export function meanColour(pixels: Pixels, part: { left: number; top: number; right: number; bottom: number }): [number, number, number] {
  const sum = [0, 0, 0]
  let count = 0
  for (let row = Math.floor(part.top * pixels.height); row < part.bottom * pixels.height; row += 1) {
    for (let column = Math.floor(part.left * pixels.width); column < part.right * pixels.width; column += 1) {
      for (const [index, value] of pixels.at(column, row).entries()) sum[index] = (sum[index] ?? 0) + value
      count += 1
    }
  }
  return [(sum[0] ?? 0) / count, (sum[1] ?? 0) / count, (sum[2] ?? 0) / count]
}

export function countPixels(pixels: Pixels, isCounted: (colour: [number, number, number]) => boolean): number {
  let count = 0
  for (let row = 0; row < pixels.height; row += 1) {
    for (let column = 0; column < pixels.width; column += 1) if (isCounted(pixels.at(column, row))) count += 1
  }
  return count
}

/** The mean difference of neighbouring pixels, as a measure of detail. */
export function detailOf(pixels: Pixels): number {
  let sum = 0
  for (let row = 1; row < pixels.height; row += 1) {
    for (let column = 1; column < pixels.width; column += 1) {
      const [here, left, above] = [pixels.at(column, row), pixels.at(column - 1, row), pixels.at(column, row - 1)]
      sum += Math.abs(here[1] - left[1]) + Math.abs(here[1] - above[1])
    }
  }
  return sum / (pixels.width * pixels.height)
}
