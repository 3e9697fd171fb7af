import { type WaveformBar, waveformBars, waveformSize } from '../../../../media/preview/waveformBars.ts'
import { readFile } from './readFile.ts'

/** Larger and longer files are not decoded. A decoded second takes 0.4 MB of memory. */
export const waveformLimits = { bytesMax: 4_000_000, secondsMax: 300 }

/** The lowest rate that all browsers accept. The outline needs no more. */
const samplesPerSecond = 8000

/** Draws the loudness of a compressed audio file over its time, in the form of the server's pictures of WAV files. */
export async function drawWaveform(path: string, signal: AbortSignal): Promise<string> {
  const content = await readFile(path, { bytesMax: waveformLimits.bytesMax, signal })
  const audio = await new OfflineAudioContext(1, 1, samplesPerSecond).decodeAudioData(content)
  signal.throwIfAborted()
  const channels = Array.from({ length: audio.numberOfChannels }, (_, channel) => audio.getChannelData(channel))
  const peakBetween = (first: number, end: number) => Math.max(...channels.map((samples) => peakOf(samples.subarray(first, end))))
  return draw(waveformBars(audio.length, peakBetween))
}

function peakOf(samples: Float32Array): number {
  let peak = 0
  for (const sample of samples) if (Math.abs(sample) > peak) peak = Math.abs(sample)
  return peak
}

function draw(bars: readonly WaveformBar[]): string {
  const canvas = document.createElement('canvas')
  canvas.width = waveformSize.width
  canvas.height = waveformSize.height
  const drawing = canvas.getContext('2d')
  if (!drawing) throw new Error('the browser cannot draw')
  drawing.fillStyle = '#000'
  drawing.fillRect(0, 0, canvas.width, canvas.height)
  drawing.fillStyle = '#fff'
  for (const { left, top, width, height } of bars) drawing.fillRect(left, top, width, height)
  return canvas.toDataURL('image/png')
}
