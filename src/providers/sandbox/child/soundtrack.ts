import type { VideoOrder } from '../renderOrder.ts'
import { type AacTrack, encodeAac } from './aac.ts'
import { cutSound, type Sound, upsampled } from './sound.ts'
import { speak } from './speech.ts'
import { chords } from './tones.ts'

const samplesPerSecond = 48_000

const bitsPerSecond: Record<VideoOrder['mode'], number> = { turbo: 64_000, quality: 128_000 }

/** The sound of a video of this length: soft chords, and over them the prompt, spoken as far as time and alphabet allow. */
export async function soundtrack(order: VideoOrder, seconds: number, folder: string): Promise<AacTrack> {
  const ground = chords(order.prompt, { samplesPerSecond, seconds, seed: order.seed })
  const spoken = await speak(order.prompt, { voice: 'plain', secondsMax: seconds, folder })
  return encodeAac(spoken ? mixed(ground, cutSound(upsampled(spoken, 3), seconds)) : ground, bitsPerSecond[order.mode])
}

function mixed(ground: Sound, voice: Sound): Sound {
  const [low, high] = [ground.channels[0] ?? new Float32Array(), voice.channels[0] ?? new Float32Array()]
  return { samplesPerSecond, channels: [low.map((sample, index) => 0.6 * sample + 0.8 * (high[index] ?? 0))] }
}
