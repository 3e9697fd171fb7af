import type { ByteReader } from '../inspection/openByteReader.ts'
import { readWave, type Wave } from './readWave.ts'

const width = 320
const height = 160
/** A bar and the free space beside it. */
const barPixels = 10
const gapPixels = 4
const bars = width / barPixels
const heightMin = 4
/** Each bar reads this many windows of samples, spread evenly: about 5 MB in total, also for a long file. */
const windows = 40
const windowBytes = 4096

/** Draws the loudness of a WAV file over its time: white bars on black. Throws for other content. */
export function renderWaveform(bytes: ByteReader) {
  const wave = readWave(bytes)
  const peaks = Array.from({ length: bars }, (_, bar) => peakOf(bytes, wave, bar))
  return { data: draw(peaks), info: { width, height, channels: 1 as const } }
}

/** The loudest read sample of a part of the file, 0 to 1. */
function peakOf(bytes: ByteReader, { start, frames, frameBytes, sampleBytes, sampleAt }: Wave, bar: number): number {
  const [first, end] = [Math.floor((frames * bar) / bars), Math.ceil((frames * (bar + 1)) / bars)]
  const windowFrames = Math.max(1, Math.floor(windowBytes / frameBytes))
  const step = Math.max(windowFrames, Math.floor((end - first) / windows))
  let peak = 0
  for (let frame = first; frame < end; frame += step) {
    const window = bytes.readUpTo(start + frame * frameBytes, Math.min(windowFrames, end - frame) * frameBytes)
    for (let offset = 0; offset + sampleBytes <= window.length; offset += sampleBytes) {
      // A floating-point sample may be above 1, infinite or NaN.
      const loudness = Math.min(1, Math.abs(sampleAt(window, offset)))
      if (loudness > peak) peak = loudness
    }
  }
  return peak
}

/** The loudest bar takes the whole height, so that quiet recordings have a shape too. */
function draw(peaks: readonly number[]): Buffer {
  const pixels = Buffer.alloc(width * height)
  const loudest = Math.max(...peaks)
  for (const [bar, peak] of peaks.entries()) {
    const tall = Math.max(heightMin, loudest > 0 ? Math.round((peak / loudest) * height) : 0)
    const top = Math.floor((height - tall) / 2)
    for (let row = top; row < top + tall; row += 1) {
      const at = row * width + bar * barPixels
      pixels.fill(255, at, at + barPixels - gapPixels)
    }
  }
  return pixels
}
