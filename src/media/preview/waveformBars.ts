/** The size of a waveform in pixels. */
export const waveformSize = { width: 320, height: 160 }

/** A bar and the free space beside it. */
const barPixels = 10
const gapPixels = 4
const bars = waveformSize.width / barPixels
const heightMin = 4

export type WaveformBar = { left: number; top: number; width: number; height: number }

/**
 * The bars of a waveform in pixels, white on black. `peakBetween` returns the loudest sample of the frames from `first` to `end`, exclusive.
 * The loudest bar has the whole height, so that quiet recordings have a shape too. The server and the admin UI share this file.
 */
export function waveformBars(frames: number, peakBetween: (first: number, end: number) => number): WaveformBar[] {
  const peaks = Array.from({ length: bars }, (_, bar) =>
    peakBetween(Math.floor((frames * bar) / bars), Math.ceil((frames * (bar + 1)) / bars)),
  )
  const loudest = Math.max(...peaks)
  return peaks.map((peak, bar) => {
    const height = Math.max(heightMin, loudest > 0 ? Math.round((peak / loudest) * waveformSize.height) : 0)
    return { left: bar * barPixels, top: Math.floor((waveformSize.height - height) / 2), width: barPixels - gapPixels, height }
  })
}
