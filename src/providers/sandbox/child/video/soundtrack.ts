import type { VideoTask } from '../../renderTask.ts'
import { type AacTrack, encodeAac } from '../audio/encodeAac.ts'
import { cutSound, mixed, upsampled } from '../audio/sound.ts'
import { synthesizeSpeech } from '../audio/synthesizeSpeech.ts'
import { chords } from '../audio/tones.ts'

const samplesPerSecond = 48_000

const bitsPerSecond: Record<VideoTask['mode'], number> = { turbo: 64_000, quality: 128_000 }

/** The audio of a video: soft chords, and the spoken prompt as far as length and alphabet allow. */
export async function soundtrack(task: VideoTask, seconds: number, folder: string): Promise<AacTrack> {
  const ground = chords(task.prompt, { samplesPerSecond, seconds, seed: task.seed })
  const spoken = await synthesizeSpeech(task.prompt, { voice: 'plain', secondsMax: seconds, folder })
  return encodeAac(spoken ? mixed(ground, cutSound(upsampled(spoken, 3), seconds)) : ground, bitsPerSecond[task.mode])
}
