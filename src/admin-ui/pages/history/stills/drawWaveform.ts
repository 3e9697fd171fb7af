import { readFile, stillWidth } from './stills.ts'

/** Larger and longer files are not decoded. A decoded second takes 0.4 MB of memory. */
export const waveformLimits = { bytesMax: 4_000_000, secondsMax: 300 }

const height = 160
const barPixels = 10
const gapPixels = 4
const heightMin = 4
/** The lowest rate that all browsers accept. The outline needs no more. */
const samplesPerSecond = 8000

/** Draws the loudness of a compressed audio file over its time, in the form of the server's pictures of WAV files: white bars on black. */
export async function drawWaveform(path: string, signal: AbortSignal): Promise<string> {
  const content = await readFile(path, { bytesMax: waveformLimits.bytesMax, signal })
  const audio = await new OfflineAudioContext(1, 1, samplesPerSecond).decodeAudioData(content)
  signal.throwIfAborted()
  const channels = Array.from({ length: audio.numberOfChannels }, (_, channel) => audio.getChannelData(channel))
  const bars = stillWidth / barPixels
  const peaks = Array.from({ length: bars }, (_, bar) => {
    const [from, to] = [Math.floor((audio.length * bar) / bars), Math.ceil((audio.length * (bar + 1)) / bars)]
    return Math.max(...channels.map((samples) => peakOf(samples.subarray(from, to))))
  })
  return draw(peaks)
}

function peakOf(samples: Float32Array): number {
  let peak = 0
  for (const sample of samples) if (Math.abs(sample) > peak) peak = Math.abs(sample)
  return peak
}

/** The loudest bar takes the whole height, so that quiet recordings have a shape too. */
function draw(peaks: readonly number[]): string {
  const canvas = document.createElement('canvas')
  canvas.width = stillWidth
  canvas.height = height
  const drawing = canvas.getContext('2d')
  if (!drawing) throw new Error('the browser cannot draw')
  drawing.fillStyle = '#000'
  drawing.fillRect(0, 0, canvas.width, height)
  drawing.fillStyle = '#fff'
  const loudest = Math.max(...peaks)
  for (const [bar, peak] of peaks.entries()) {
    const tall = Math.max(heightMin, loudest > 0 ? Math.round((peak / loudest) * height) : 0)
    drawing.fillRect(bar * barPixels, Math.floor((height - tall) / 2), barPixels - gapPixels, tall)
  }
  return canvas.toDataURL('image/png')
}
