import type { Colour } from '../image/palette.ts'
import type { Pixels } from '../image/raster.ts'
import type { Random } from '../random.ts'
import { type Planes, toPlanes } from './yuv.ts'

type FrameOptions = { width: number; height: number; frames: number; accent: Colour; random: Random }

/**
 * The frames of a clip, one after another in one reused buffer (planes y, u, v): a window that moves over a larger picture, a fixed
 * caption, and a growing progress line at the bottom. All sizes and offsets are even.
 */
export function* videoFrames(background: Planes, caption: Pixels, options: FrameOptions): Generator<Uint8Array> {
  const { width, height, frames, random } = options
  const buffer = new Uint8Array((width * height * 3) / 2)
  const frame: Planes = planesWithin(buffer, width, height)
  const overlay = overlayOf(caption)
  const [phaseX, phaseY, turns] = [random.between(0, 6.28), random.between(0, 6.28), random.between(0.3, 0.6)]
  for (let index = 0; index < frames; index += 1) {
    const time = (index / frames) * turns * 6.28
    const x = windowOffset(background.width - width, phaseX + time)
    const y = windowOffset(background.height - height, phaseY + time * 0.7)
    copyWindow(background, frame, { x, y })
    blend(overlay, frame)
    drawProgress(frame, options.accent, (index + 1) / frames)
    yield buffer
  }
}

function planesWithin(buffer: Uint8Array, width: number, height: number): Planes {
  const full = width * height
  return { width, height, y: buffer.subarray(0, full), u: buffer.subarray(full, full * 1.25), v: buffer.subarray(full * 1.25) }
}

function windowOffset(room: number, angle: number): number {
  return Math.floor((room * (1 + Math.sin(angle))) / 4) * 2
}

function copyWindow(from: Planes, to: Planes, { x, y }: { x: number; y: number }): void {
  copyRows(from.y, to.y, { fromWidth: from.width, toWidth: to.width, rows: to.height, x, y })
  const half = { fromWidth: from.width / 2, toWidth: to.width / 2, rows: to.height / 2, x: x / 2, y: y / 2 }
  copyRows(from.u, to.u, half)
  copyRows(from.v, to.v, half)
}

type Rows = { fromWidth: number; toWidth: number; rows: number; x: number; y: number }

function copyRows(from: Uint8Array, to: Uint8Array, { fromWidth, toWidth, rows, x, y }: Rows): void {
  for (let row = 0; row < rows; row += 1) {
    const start = (row + y) * fromWidth + x
    to.set(from.subarray(start, start + toWidth), row * toWidth)
  }
}

/** An image with opacity from 0 to 256 for each plane. Rows above `firstRow` (even) are transparent. */
type Overlay = { planes: Planes; opacity: Uint16Array; halfOpacity: Uint16Array; firstRow: number }

function overlayOf(caption: Pixels): Overlay {
  const { width, height, data } = caption
  const opacity = new Uint16Array(width * height)
  for (let at = 0; at < opacity.length; at += 1) {
    const alpha = data[at * 4 + 3] ?? 0
    opacity[at] = alpha + (alpha >> 7)
  }
  const halfOpacity = new Uint16Array((width * height) / 4)
  for (let at = 0; at < halfOpacity.length; at += 1) {
    const [row, column] = [Math.floor(at / (width / 2)), at % (width / 2)]
    halfOpacity[at] = opacity[row * 2 * width + column * 2] ?? 0
  }
  const firstVisible = opacity.findIndex((value) => value > 0)
  const firstRow = firstVisible < 0 ? height : Math.floor(firstVisible / width / 2) * 2
  return { planes: toPlanes(caption), opacity, halfOpacity, firstRow }
}

function blend({ planes, opacity, halfOpacity, firstRow }: Overlay, frame: Planes): void {
  const first = firstRow * frame.width
  blendPlane(planes.y, frame.y, opacity, first)
  blendPlane(planes.u, frame.u, halfOpacity, first / 4)
  blendPlane(planes.v, frame.v, halfOpacity, first / 4)
}

function blendPlane(over: Uint8Array, under: Uint8Array, opacity: Uint16Array, first: number): void {
  for (let at = first; at < under.length; at += 1) {
    const fraction = opacity[at] ?? 0
    under[at] = ((over[at] ?? 0) * fraction + (under[at] ?? 0) * (256 - fraction)) >> 8
  }
}

function drawProgress(frame: Planes, accent: Colour, fraction: number): void {
  const colour = toPlanes({ data: Buffer.from([...accent, ...accent, ...accent, ...accent]), width: 2, height: 2, channels: 3 })
  const rows = Math.max(2, Math.floor(frame.height / 120) * 2)
  const halfWidth = Math.floor((frame.width * fraction) / 2)
  for (let row = frame.height - rows; row < frame.height; row += 1) {
    frame.y.fill(colour.y[0] ?? 0, row * frame.width, row * frame.width + halfWidth * 2)
  }
  for (let row = (frame.height - rows) / 2; row < frame.height / 2; row += 1) {
    const start = (row * frame.width) / 2
    frame.u.fill(colour.u[0] ?? 0, start, start + halfWidth)
    frame.v.fill(colour.v[0] ?? 0, start, start + halfWidth)
  }
}
