import { z } from 'zod'
import { type Generation, type GenerationResult, generationStates } from '../../entities/Generation.ts'
import type { DocUrls } from '../docUrl.ts'
import type { Failure } from '../failures/failures.ts'
import { generationFailure } from '../failures/generationFailure.ts'
import { presentFailure } from '../failures/presentFailure.ts'
import { creditsOf } from '../hundredths.ts'
import { callerFieldsOf, returnedCallerFields } from './callerFields.ts'
import { credits, moment, momentOf } from './credits.ts'
import { fieldsAccepting } from './media.ts'
import { outputTypes } from './outputTypes.ts'

/** What a generation of the history made. */
const resultType = z
  .enum([...outputTypes, 'text'])
  .meta({ id: 'ResultType', description: 'What a generation makes; `text` stands in the history alone.' })

export const generationState = z.enum(generationStates).meta({
  id: 'GenerationState',
  description: '`queued`, `running` and `finalizing` go on; `ready`, `failed` and `cancelled` are the ends.',
})

const result = z
  .object({
    type: resultType,
    url: z.url().nullable().optional().meta({
      description:
        'A link to the file; needs no key, and dies with the key that obtained it. Null where the file stayed in the editor, and once it is deleted.',
    }),
    urlExpiresAt: moment.nullable().optional(),
    mimeType: z.string().nullable().optional(),
    sizeBytes: z.int().nullable().optional(),
    width: z.int().nullable().optional(),
    height: z.int().nullable().optional(),
    durationSeconds: z.number().nullable().optional(),
    text: z.string().optional().meta({ description: 'What a text generation of the history made.' }),
    deletedAt: moment.optional().meta({ description: 'Present once the result was deleted: the rest of it is null then.' }),
  })
  .meta({ id: 'GenerationResult' })

const inputs = z
  .object({
    imageIds: z.array(z.string()),
    videoIds: z.array(z.string()),
    audioIds: z.array(z.string()),
    model3dIds: z.array(z.string()),
  })
  .meta({ id: 'GenerationInputs', description: 'The media that it started from, in their order.' })

/**
 * The generation in its one public shape: the answer to a start and a GET, a row of the history, the content of a webhook.
 * Contract: docs/contract.md#generation-object.
 */
export const generation = z
  .object({
    generationId: z.string().meta({ examples: ['gen_01kabc5m1dexampleexample00'] }),
    state: generationState,
    familyId: z.string(),
    modelId: z.string().nullable(),
    fallback: z
      .object({ modelId: z.string() })
      .meta({ id: 'GenerationFallback' })
      .optional()
      .meta({ description: 'Present when another variant made it, since the one asked for had no room; the price is the same.' }),
    task: z.string().nullable(),
    outputType: resultType,
    axes: z.record(z.string(), z.string()),
    prompt: z.string().nullable(),
    parameters: z.record(z.string(), z.unknown()),
    inputs,
    ...returnedCallerFields,
    source: z.enum(['rest', 'mcp', 'editor']).meta({ id: 'GenerationSource', description: 'Where it was started.' }),
    creditsHeld: credits.meta({ description: 'What is held now; 0 at the end.' }),
    creditsCharged: credits.nullable().meta({ description: 'What was charged; null until the end.' }),
    createdAt: moment,
    startedAt: moment.nullable(),
    finishedAt: moment.nullable(),
    progress: z
      .number()
      .min(0)
      .max(1)
      .nullable()
      .optional()
      .meta({ description: 'How much is done, 0 to 1; null when unknown, absent at the end.' }),
    queuePosition: z
      .int()
      .min(1)
      .nullable()
      .optional()
      .meta({ description: "Its place in the queue of the model's vendor, 1 is next; null when unknown, absent at the end." }),
    pollAfterSeconds: z.int().optional().meta({ description: 'Ask again after so many seconds; absent at the end.' }),
    result: result.optional(),
    reusableAs: z.array(z.string()).optional().meta({ description: 'Request fields that take this generationId as an input.' }),
    error: generationFailure.optional(),
  })
  .meta({ id: 'Generation', description: 'A generation, in the one shape that it has everywhere.' })

export type PublicGeneration = z.output<typeof generation>

/** A link to a stored result, and when it stops working. */
export type ResultLink = { url: string; expiresAt: Date }

export type PresentOptions = {
  /** Makes the link of a ready generation. */
  linkTo(generation: Generation): ResultLink
  /** Seconds after which a generation that goes on is worth asking for again. */
  pollAfterSeconds(generation: Generation): number
  docUrls: DocUrls
}

/** Translates a generation as we keep it into its public shape. Fields that are "present when" are absent otherwise. */
export function presentGeneration(row: Generation, options: PresentOptions): PublicGeneration {
  const ended = row.finishedAt !== null
  return {
    generationId: row.id,
    state: row.state,
    familyId: row.familyId,
    modelId: row.modelId,
    ...(row.fallbackModelId === null ? {} : { fallback: { modelId: row.fallbackModelId } }),
    task: row.task,
    outputType: row.outputType,
    axes: row.axes,
    prompt: row.prompt,
    parameters: row.parameters,
    inputs: row.inputs,
    ...callerFieldsOf(row),
    source: row.source,
    creditsHeld: ended ? 0 : creditsOf(row.price),
    creditsCharged: row.creditsCharged === null ? null : creditsOf(row.creditsCharged),
    createdAt: momentOf(row.createdAt),
    startedAt: momentOf(row.startedAt),
    finishedAt: momentOf(row.finishedAt),
    ...(ended ? {} : { progress: row.progress, queuePosition: row.queuePosition, pollAfterSeconds: options.pollAfterSeconds(row) }),
    ...(row.result === null
      ? {}
      : { result: presentResult(row, row.result, options), reusableAs: isAvailable(row.result) ? fieldsAccepting(row.outputType) : [] }),
    ...(row.failure === null ? {} : { error: presentFailure(row.failure as Failure, options.docUrls) }),
  }
}

/** Whether we have what was made. */
function isAvailable(made: GenerationResult): boolean {
  return 'storageKey' in made || 'text' in made
}

/** What can be said of media that stayed in the editor, and of what was deleted. */
const withoutFile = { url: null, urlExpiresAt: null, mimeType: null, sizeBytes: null, width: null, height: null, durationSeconds: null }

function presentResult(row: Generation, made: GenerationResult, options: PresentOptions): NonNullable<PublicGeneration['result']> {
  if ('text' in made) return { type: 'text', text: made.text }
  if ('heldBy' in made) return { type: row.outputType, ...withoutFile }
  if ('deletedAt' in made) return { type: row.outputType, ...withoutFile, deletedAt: made.deletedAt }
  const link = options.linkTo(row)
  return {
    type: row.outputType,
    url: link.url,
    urlExpiresAt: momentOf(link.expiresAt),
    mimeType: made.mimeType,
    sizeBytes: made.sizeBytes,
    width: made.width,
    height: made.height,
    durationSeconds: made.durationSeconds,
  }
}
