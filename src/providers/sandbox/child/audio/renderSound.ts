import { writeFile } from 'node:fs/promises'
import type { SoundTask } from '../../renderTask.ts'
import { titleOf } from '../title.ts'
import { type AudioQuality, encodeAudio } from './encodeAudio.ts'
import { mixed, type Sound } from './sound.ts'
import { chords, effect, tune } from './tones.ts'

const samplesPerSecond = 48_000

const quality: AudioQuality = { mp3Kilobits: 160, aacBitsPerSecond: 128_000, vorbisQuality: 4 }

/** Makes a sound effect or music of exactly the requested length, or plays the input twice. */
export async function renderSound(task: SoundTask, resultPath: string): Promise<void> {
  const title = titleOf(task.prompt)
  if (task.from === 'audio') {
    const { repeatAudio } = await import('./repeatAudio.ts')
    await writeFile(resultPath, await repeatAudio(task))
    return
  }
  await writeFile(resultPath, await encodeAudio(task.format, { sound: soundOf(task), quality, title }))
}

function soundOf({ from, prompt, seed, durationSeconds: seconds }: SoundTask): Sound {
  const options = { samplesPerSecond, seconds, seed }
  return from === 'effect' ? effect(prompt, options) : mixed(chords(prompt, options), tune(prompt, options))
}
