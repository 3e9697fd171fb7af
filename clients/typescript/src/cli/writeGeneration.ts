import type { Generation, GenerationState } from '../openapi.ts'
import type { Colour, Output } from './output.ts'

export const stateColours: Record<GenerationState, Colour> = {
  queued: 'dim',
  running: 'yellow',
  finalizing: 'yellow',
  ready: 'green',
  failed: 'red',
  cancelled: 'dim',
}

/** Prints a generation. */
export function writeGeneration(output: Output, generation: Generation): void {
  const { state, error, result } = generation
  output.data(`${generation.generationId}  `, { text: state, colour: stateColours[state] ?? 'dim' })
  const rows: [string, string | null | undefined][] = [
    ['family', generation.familyId + axesWords(generation.axes)],
    ['prompt', generation.prompt],
    ['parameters', Object.keys(generation.parameters).length > 0 ? JSON.stringify(generation.parameters) : null],
    ['reference', generation.reference],
    ['metadata', Object.keys(generation.metadata).length > 0 ? JSON.stringify(generation.metadata) : null],
    ['created', generation.createdAt],
    ['finished', generation.finishedAt],
    ['credits', creditsWords(generation)],
    ['progress', formatProgress(generation) || null],
    ['result', result ? describeResult(generation) : null],
    ['link', result?.url],
    ['deleted', result?.deletedAt],
    ['text', result?.text],
    ['error', error ? `${error.message} (${error.code}/${error.reason}${error.hint === 'none' ? '' : `, ${error.hint}`})` : null],
  ]
  for (const [name, value] of rows)
    if (value !== null && value !== undefined) output.data({ text: `  ${name.padEnd(11)}`, colour: 'dim' }, value)
}

/** Why there is no result, in one line. */
export function describeEnd({ state, error }: Generation): string {
  return error
    ? `${error.message} (${error.code}/${error.reason}${error.retryable ? ', may succeed when repeated' : ''})`
    : `The generation is ${state}.`
}

/** Describes the result: `512 × 512 image/png, 12.3 kB, 1 credit`. */
export function describeResult(generation: Generation): string {
  const { result } = generation
  const size = result?.width && result.height ? `${result.width} × ${result.height}` : undefined
  const length = typeof result?.durationSeconds === 'number' ? `${result.durationSeconds} s` : undefined
  const bytes = typeof result?.sizeBytes === 'number' ? bytesWords(result.sizeBytes) : undefined
  return [size, length, result?.mimeType ?? result?.type, bytes, creditsWords(generation)].filter(Boolean).join(', ')
}

/** The progress, if known. */
export function formatProgress({ progress, queuePosition }: Generation): string {
  if (typeof progress === 'number') return `${Math.round(progress * 100)} %`
  return typeof queuePosition === 'number' ? `number ${queuePosition} in the queue` : ''
}

export function countWords(credits: number): string {
  return `${credits} ${credits === 1 ? 'credit' : 'credits'}`
}

export function axesWords(axes: Record<string, string>): string {
  const words = Object.entries(axes).map(([name, value]) => `${name}=${value}`)
  return words.length > 0 ? ` ${words.join(' ')}` : ''
}

function creditsWords({ creditsCharged, creditsHeld }: Generation): string {
  return creditsCharged === null ? `${countWords(creditsHeld)} held` : countWords(creditsCharged)
}

function bytesWords(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`
  return bytes < 1_000_000 ? `${(bytes / 1000).toFixed(1)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`
}
