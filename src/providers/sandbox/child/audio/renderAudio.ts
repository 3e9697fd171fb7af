import { writeFile } from 'node:fs/promises'
import type { AudioTask, SoundTask } from '../../renderTask.ts'
import { titleOf } from '../title.ts'
import { type AudioQuality, encodeAudio } from './encodeAudio.ts'
import { cutSound, mixed, type Sound, upsampled } from './sound.ts'
import { synthesizeSpeech, type Voice } from './synthesizeSpeech.ts'
import { chords, effect, tune } from './tones.ts'

/** The limit of spoken audio, which bounds the time of a render to a few seconds. */
const secondsMax = 60

const tiers: Record<AudioTask['tier'], { voice: Voice; quality: AudioQuality; finish: (sound: Sound) => Sound }> = {
  basic: { voice: 'plain', quality: { mp3Kilobits: 48, aacBitsPerSecond: 48_000, vorbisQuality: 2 }, finish: (sound) => sound },
  studio: {
    voice: 'fine',
    quality: { mp3Kilobits: 160, aacBitsPerSecond: 128_000, vorbisQuality: 6 },
    finish: (sound) => toStereo(upsampled(sound, 3)),
  },
}

/** Speaks the prompt in English, or plays a tune for text without Latin letters, and writes it in the requested format. */
export async function renderAudio(task: AudioTask, paths: { resultPath: string; scratchFolder: string }): Promise<void> {
  const { voice, quality, finish } = tiers[task.tier]
  const spoken = await synthesizeSpeech(task.prompt, { voice, secondsMax, folder: paths.scratchFolder })
  const sound = finish(cutSound(spoken ?? tuneFor(task), secondsMax))
  const title = titleOf(task.prompt)
  await writeFile(paths.resultPath, await encodeAudio(task.format, { sound, quality, title }))
}

/** A quarter of a second for each character, from 1 to 20 seconds. */
function tuneFor({ prompt, seed }: AudioTask): Sound {
  const seconds = Math.min(20, Math.max(1, [...prompt].length / 4))
  return tune(prompt, { samplesPerSecond: 16_000, seconds, seed })
}

/** Makes stereo from mono. The right channel has a faint echo of 11 milliseconds. */
function toStereo({ samplesPerSecond, channels }: Sound): Sound {
  const left = channels[0] ?? new Float32Array()
  const delay = Math.round(samplesPerSecond * 0.011)
  const right = left.map((sample, index) => 0.85 * sample + 0.15 * (left[index - delay] ?? 0))
  return { samplesPerSecond, channels: [left, right] }
}

const soundSamplesPerSecond = 48_000
const soundQuality: AudioQuality = { mp3Kilobits: 160, aacBitsPerSecond: 128_000, vorbisQuality: 4 }

/** Makes a sound effect or music of exactly the requested length, or plays the input twice. */
export async function renderSound(task: SoundTask, resultPath: string): Promise<void> {
  const title = titleOf(task.prompt)
  if (task.from === 'audio') {
    const { repeatAudio } = await import('./repeatAudio.ts')
    await writeFile(resultPath, await repeatAudio(task))
    return
  }
  await writeFile(resultPath, await encodeAudio(task.format, { sound: soundOf(task), quality: soundQuality, title }))
}

function soundOf({ from, prompt, seed, durationSeconds: seconds }: SoundTask): Sound {
  const options = { samplesPerSecond: soundSamplesPerSecond, seconds, seed }
  return from === 'effect' ? effect(prompt, options) : mixed(chords(prompt, options), tune(prompt, options))
}
