import type { Generation } from '../openapi.ts'
import { durationWords } from './duration.ts'
import { cut } from './visible.ts'
import { formatProgress } from './writeGeneration.ts'

const barCharacters = 24
const spinner = ['|', '/', '-', '\\']

/** The progress line of a generation: a bar for known progress, otherwise a spinner. */
export function progressLine(generation: Generation, { seconds, columns }: { seconds: number; columns: number }): string {
  const { state, progress } = generation
  const sign = typeof progress === 'number' ? bar(progress) : (spinner[Math.floor(seconds * 5) % spinner.length] ?? '')
  const words = [state.padEnd(10), sign, formatProgress(generation), durationWords(seconds)].filter((word) => word !== '')
  return cut(words.join('  '), columns - 1)
}

function bar(progress: number): string {
  const done = Math.round(Math.min(1, Math.max(0, progress)) * barCharacters)
  return `[${'='.repeat(done)}${' '.repeat(barCharacters - done)}]`
}
