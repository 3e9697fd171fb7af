import { makeRandom, type Random } from '../random.ts'
import type { Sound } from './sound.ts'

type ToneOptions = { samplesPerSecond: number; seconds: number; seed: string }

/** Semitones above the root note, of a pentatonic scale: its notes sound well in any order. */
const scale = [0, 2, 4, 7, 9, 12, 14] as const

/** A short tune for text that cannot be spoken. Text and seed choose its notes. */
export function tune(text: string, { samplesPerSecond, seconds, seed }: ToneOptions): Sound {
  const random = makeRandom('tune', text, seed)
  const samples = new Float32Array(Math.round(seconds * samplesPerSecond))
  const baseHertz = baseHertzOf(random)
  const noteSeconds = random.pick([0.25, 0.3, 0.375])
  for (let start = 0; start < seconds; start += noteSeconds) {
    const hertz = baseHertz * 2 ** (random.pick(scale) / 12)
    addNote(samples, { hertz, samplesPerSecond, from: start, seconds: noteSeconds * 1.6, loudness: 0.28 })
  }
  return { samplesPerSecond, channels: [samples] }
}

/** A sound effect: a few sweeps of a tone over a rushing noise. Text and seed choose them. */
export function effect(text: string, { samplesPerSecond, seconds, seed }: ToneOptions): Sound {
  const random = makeRandom('effect', text, seed)
  const samples = new Float32Array(Math.round(seconds * samplesPerSecond))
  const [roughness, pulse] = [random.between(0.02, 0.3), random.between(0.5, 4)]
  let noise = 0
  for (let index = 0; index < samples.length; index += 1) {
    noise += roughness * (random.between(-1, 1) - noise)
    samples[index] = 0.5 * noise * (1 + 0.6 * Math.sin((2 * Math.PI * pulse * index) / samplesPerSecond))
  }
  for (let start = 0; start < seconds; start += random.between(0.4, 1.5)) {
    const sweep = { from: random.between(100, 900), to: random.between(100, 1800), seconds: random.between(0.2, 0.9) }
    addSweep(samples, { ...sweep, samplesPerSecond, start })
  }
  return { samplesPerSecond, channels: [samples] }
}

type Sweep = { from: number; to: number; seconds: number; samplesPerSecond: number; start: number }

/** Adds a sine whose frequency glides between two values in hertz, with a soft start and end. */
function addSweep(samples: Float32Array, { from, to, seconds, samplesPerSecond, start }: Sweep): void {
  const [first, whole] = [Math.round(start * samplesPerSecond), Math.round(seconds * samplesPerSecond)]
  let angle = 0
  for (let index = 0; index < whole && first + index < samples.length; index += 1) {
    const part = index / whole
    angle += (2 * Math.PI * (from + (to - from) * part)) / samplesPerSecond
    samples[first + index] = (samples[first + index] ?? 0) + 0.25 * Math.sin(Math.PI * part) * Math.sin(angle)
  }
}

/** Long soft chords as the background of a video. */
export function chords(text: string, { samplesPerSecond, seconds, seed }: ToneOptions): Sound {
  const random = makeRandom('chords', text, seed)
  const samples = new Float32Array(Math.round(seconds * samplesPerSecond))
  const baseHertz = baseHertzOf(random) / 2
  for (let start = 0; start < seconds; start += 2) {
    const root = baseHertz * 2 ** (random.pick([0, 5, 7, 9]) / 12)
    for (const step of [0, 4, 7, 12]) {
      addNote(samples, { hertz: root * 2 ** (step / 12), samplesPerSecond, from: start, seconds: 2.4, loudness: 0.07 })
    }
  }
  return { samplesPerSecond, channels: [samples] }
}

function baseHertzOf(random: Random): number {
  return 220 * 2 ** (random.whole(0, 11) / 12)
}

type Note = { hertz: number; samplesPerSecond: number; from: number; seconds: number; loudness: number }

/** Adds a sine with a little of its octave, with a fast attack and a slow decay. */
function addNote(samples: Float32Array, { hertz, samplesPerSecond, from, seconds, loudness }: Note): void {
  const first = Math.round(from * samplesPerSecond)
  const length = Math.min(Math.round(seconds * samplesPerSecond), samples.length - first)
  const rise = samplesPerSecond * 0.02
  for (let index = 0; index < length; index += 1) {
    const fade = Math.min(1, index / rise) * (1 - index / (seconds * samplesPerSecond)) ** 1.5
    const angle = (2 * Math.PI * hertz * index) / samplesPerSecond
    const wave = Math.sin(angle) + 0.3 * Math.sin(2 * angle)
    samples[first + index] = (samples[first + index] ?? 0) + loudness * fade * wave
  }
}
