import { defineEntity, type InferEntity, p } from '@mikro-orm/core'
import type { Hundredths } from './Hundredths.ts'

export const generationStates = ['queued', 'running', 'finalizing', 'ready', 'failed', 'cancelled'] as const
/** States of open generations. */
export const openStates = ['queued', 'running', 'finalizing'] as const satisfies (typeof generationStates)[number][]
export type GenerationState = (typeof generationStates)[number]
export const generationSources = ['rest', 'mcp', 'editor'] as const
export type GenerationSource = (typeof generationSources)[number]
export type GenerationOutputType = 'image' | 'video' | 'audio' | 'model3d' | 'text'
export type GenerationInputs = { imageIds: string[]; videoIds: string[]; audioIds: string[]; model3dIds: string[] }

/** An object in storage, the text of a text generation, media that stay in the editor, or when and by whom the result was deleted. */
export type GenerationResult =
  | {
      storageKey: string
      mimeType: string
      sizeBytes: number
      sha256: string
      width: number | null
      height: number | null
      durationSeconds: number | null
    }
  | { text: string }
  | { heldBy: 'editor' }
  | { deletedAt: string; deletedBy: string }

/** `price` and `creditsCharged` are hundredths. `ownerId` is the team, or the user without a team, whose history lists it. */
export const Generation = defineEntity({
  name: 'Generation',
  tableName: 'generations',
  properties: {
    id: p.text().primary(),
    ownerId: p.text(),
    accountId: p.text().strictNullable(),
    userId: p.text().strictNullable(),
    keyId: p.text().strictNullable(),
    source: p.text().$type<GenerationSource>(),
    state: p.text().$type<GenerationState>(),
    familyId: p.text(),
    modelId: p.text().strictNullable(),
    /** The variant that took over when the requested one was at capacity. */
    fallbackModelId: p.text().strictNullable(),
    task: p.text().strictNullable(),
    outputType: p.text().$type<GenerationOutputType>(),
    axes: p.json<Record<string, string>>(),
    prompt: p.text().strictNullable(),
    parameters: p.json<Record<string, unknown>>(),
    inputs: p.json<GenerationInputs>(),
    /** Set by the caller, never interpreted. */
    reference: p.text().strictNullable(),
    metadata: p.json<Record<string, string>>(),
    price: p.bigint('number').$type<Hundredths>(),
    creditsCharged: p.bigint('number').$type<Hundredths>().strictNullable(),
    fence: p.integer(),
    attempt: p.integer(),
    result: p.json<GenerationResult>().strictNullable(),
    failure: p.json<{ code: string; reason: string; details?: Record<string, number> }>().strictNullable(),
    /** Progress is 0 to 1, the queue position counts from 1. Both as the provider reports them, while the generation is open. */
    progress: p.float().strictNullable(),
    queuePosition: p.integer().strictNullable(),
    createdAt: p.datetime(),
    startedAt: p.datetime().strictNullable(),
    finishedAt: p.datetime().strictNullable(),
    deadlineAt: p.datetime().strictNullable(),
  },
})
export type Generation = InferEntity<typeof Generation>

/** The columns of a generation that its maker may leave out, with the values that they have then. */
export function generationDefaults() {
  return {
    accountId: null,
    userId: null,
    keyId: null,
    modelId: null,
    fallbackModelId: null,
    task: null,
    axes: {},
    prompt: null,
    parameters: {},
    inputs: { imageIds: [], videoIds: [], audioIds: [], model3dIds: [] },
    reference: null,
    metadata: {},
    creditsCharged: null,
    fence: 0,
    attempt: 0,
    result: null,
    failure: null,
    progress: null,
    queuePosition: null,
    startedAt: null,
    finishedAt: null,
    deadlineAt: null,
  } satisfies Partial<Generation>
}
