import type { ByteReader } from '../inspection/openByteReader.ts'
import { readWave, type Wave } from './readWave.ts'
import { type WaveformBar, waveformBars, waveformSize } from './waveformBars.ts'

/** Each bar reads this many windows of samples, spread evenly: about 5 MB in total, also for a long file. */
const windows = 40
const windowBytes = 4096

/** Draws the loudness of a WAV file over its time. Throws for other content. */
export function renderWaveform(bytes: ByteReader) {
  const wave = readWave(bytes)
  const data = draw(waveformBars(wave.frames, (first, end) => peakOf(bytes, wave, { first, end })))
  return { data, info: { ...waveformSize, channels: 1 as const } }
}

/** The loudest read sample of a part of the file, 0 to 1. */
function peakOf(bytes: ByteReader, { start, frameBytes, sampleBytes, sampleAt }: Wave, { first, end }: { first: number; end: number }) {
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

function draw(drawn: readonly WaveformBar[]): Buffer {
  const pixels = Buffer.alloc(waveformSize.width * waveformSize.height)
  for (const { left, top, width, height } of drawn) {
    for (let row = top; row < top + height; row += 1) {
      const at = row * waveformSize.width + left
      pixels.fill(255, at, at + width)
    }
  }
  return pixels
}
