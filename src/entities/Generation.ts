import { defineEntity, type InferEntity, p } from '@mikro-orm/core'

export const generationStates = ['queued', 'running', 'finalizing', 'ready', 'failed', 'cancelled'] as const
export type GenerationState = (typeof generationStates)[number]
export type GenerationSource = 'rest' | 'mcp' | 'editor'
export type GenerationOutputType = 'image' | 'video' | 'audio' | 'model3d' | 'text'
export type GenerationInputs = { imageIds: string[]; videoIds: string[]; audioIds: string[]; model3dIds: string[] }

/** What was made: an object in storage, or for text generations the text itself. */
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

/** `price` and `creditsCharged` are hundredths. `ownerId` is a team, or a user without one: whose history it stands in. */
export const Generation = defineEntity({
  name: 'Generation',
  tableName: 'generations',
  properties: {
    id: p.text().primary(),
    ownerId: p.text(),
    accountId: p.text().nullable(),
    userId: p.text().nullable(),
    keyId: p.text().nullable(),
    source: p.text().$type<GenerationSource>(),
    state: p.text().$type<GenerationState>(),
    familyId: p.text(),
    modelId: p.text().nullable(),
    task: p.text().nullable(),
    outputType: p.text().$type<GenerationOutputType>(),
    axes: p.json<Record<string, string>>(),
    prompt: p.text().nullable(),
    parameters: p.json<Record<string, unknown>>(),
    inputs: p.json<GenerationInputs>(),
    price: p.bigint('number'),
    creditsCharged: p.bigint('number').nullable(),
    fence: p.integer(),
    attempt: p.integer(),
    result: p.json<GenerationResult>().nullable(),
    failure: p.json<{ code: string; reason: string; details?: Record<string, number> }>().nullable(),
    createdAt: p.datetime(),
    startedAt: p.datetime().nullable(),
    finishedAt: p.datetime().nullable(),
    deadlineAt: p.datetime().nullable(),
  },
})
export type Generation = InferEntity<typeof Generation>
