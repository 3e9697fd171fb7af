import { z } from 'zod'
import { type Generation, type GenerationResult, generationSources, generationStates } from '../../entities/Generation.ts'
import type { DocUrls } from '../docUrl.ts'
import { type Failure, type FailureClass, failureTable } from '../failures/failures.ts'
import { presentFailure } from '../failures/presentFailure.ts'
import { creditsOf } from '../hundredths.ts'
import { callerFieldsOf, returnedCallerFields } from './callerFields.ts'
import { credits, moment, momentOf } from './credits.ts'
import { fieldsAccepting } from './media.ts'
import { outputTypes } from './outputTypes.ts'

/** The result types in the history. */
const resultType = z
  .enum([...outputTypes, 'text'])
  .meta({ id: 'ResultType', description: 'The type of a result; `text` occurs only in the history.' })

export const generationState = z.enum(generationStates).meta({
  id: 'GenerationState',
  description: '`queued`, `running` and `finalizing` are open; `ready`, `failed` and `cancelled` are final.',
})

const result = z
  .object({
    type: resultType,
    url: z.url().nullable().optional().meta({
      description:
        'A link to the file. It needs no key and ends with the key that obtained it. Null for results of the editor and for deleted results.',
    }),
    urlExpiresAt: moment.nullable().optional(),
    mimeType: z.string().nullable().optional(),
    sizeBytes: z.int().nullable().optional(),
    width: z.int().nullable().optional(),
    height: z.int().nullable().optional(),
    durationSeconds: z.number().nullable().optional(),
    text: z.string().optional().meta({ description: 'The result of a text generation in the history.' }),
    deletedAt: moment.optional().meta({ description: 'Present when the result was deleted; the other fields are then null.' }),
  })
  .meta({ id: 'GenerationResult' })

const inputs = z
  .object({
    imageIds: z.array(z.string()),
    videoIds: z.array(z.string()),
    audioIds: z.array(z.string()),
    model3dIds: z.array(z.string()),
  })
  .meta({ id: 'GenerationInputs', description: 'The input media, in their order.' })

const classes = Object.keys(failureTable) as [FailureClass, ...FailureClass[]]

/** The `error` of a failed generation. Contract: docs/contract.md#failure-object. */
const generationFailure = z
  .object({
    code: z.enum(classes).meta({ id: 'FailureClass', description: 'The class, from a closed list.' }),
    reason: z.string().meta({ description: 'The cause within the class, from an open list. Handle an unknown reason by `code`.' }),
    message: z.string(),
    retryable: z.boolean().meta({ description: 'Whether the same request may succeed when it is repeated.' }),
    hint: z.string().meta({ description: 'What to do before the next attempt.' }),
    details: z.record(z.string(), z.number()).optional().meta({ description: 'Numbers, such as the prompt limit of the model.' }),
    docUrl: z.url().meta({ description: 'The page that explains this reason and its remedy.' }),
  })
  .meta({ id: 'GenerationFailure' })

/**
 * The public shape of a generation: in the responses of a start and a GET, in the history and in webhooks.
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
      .meta({ description: 'Present when another variant ran because the requested one had no capacity; the price is the same.' }),
    task: z.string().nullable(),
    outputType: resultType,
    axes: z.record(z.string(), z.string()),
    prompt: z.string().nullable(),
    parameters: z.record(z.string(), z.unknown()),
    inputs,
    ...returnedCallerFields,
    source: z.enum(generationSources).meta({ id: 'GenerationSource', description: 'The interface that started the generation.' }),
    creditsHeld: credits.meta({ description: 'The credits held now; 0 after the end.' }),
    creditsCharged: credits.nullable().meta({ description: 'The charged credits; null until the end.' }),
    createdAt: moment,
    startedAt: moment.nullable(),
    finishedAt: moment.nullable(),
    progress: z
      .number()
      .min(0)
      .max(1)
      .nullable()
      .optional()
      .meta({ description: 'The progress, 0 to 1; null when unknown, absent after the end.' }),
    queuePosition: z
      .int()
      .min(1)
      .nullable()
      .optional()
      .meta({ description: "The position in the queue of the model's vendor; 1 is next, null is unknown. Absent after the end." }),
    pollAfterSeconds: z.int().optional().meta({ description: 'Seconds to wait before the next read; absent after the end.' }),
    result: result.optional(),
    reusableAs: z.array(z.string()).optional().meta({ description: 'The request fields that accept this generationId as an input.' }),
    error: generationFailure.optional(),
  })
  .meta({ id: 'Generation', description: 'A generation; every interface uses this shape.' })

export type PublicGeneration = z.output<typeof generation>

/** A link to a stored result, and when it expires. */
export type ResultLink = { url: string; expiresAt: Date }

export type PresentOptions = {
  /** Returns the link of a ready generation. */
  linkTo(generation: Generation): ResultLink
  /** Seconds until the next useful read of an open generation. */
  pollAfterSeconds(generation: Generation): number
  docUrls: DocUrls
}

/** The public shape of a stored generation. Optional fields are absent, not null, when they do not apply. */
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

/** Whether the result is stored. */
function isAvailable(stored: GenerationResult): boolean {
  return 'storageKey' in stored || 'text' in stored
}

/** The fields of a result without a stored file: of the editor, or deleted. */
const withoutFile = { url: null, urlExpiresAt: null, mimeType: null, sizeBytes: null, width: null, height: null, durationSeconds: null }

function presentResult(row: Generation, stored: GenerationResult, options: PresentOptions): NonNullable<PublicGeneration['result']> {
  if ('text' in stored) return { type: 'text', text: stored.text }
  if ('heldBy' in stored) return { type: row.outputType, ...withoutFile }
  if ('deletedAt' in stored) return { type: row.outputType, ...withoutFile, deletedAt: stored.deletedAt }
  const link = options.linkTo(row)
  return {
    type: row.outputType,
    url: link.url,
    urlExpiresAt: momentOf(link.expiresAt),
    mimeType: stored.mimeType,
    sizeBytes: stored.sizeBytes,
    width: stored.width,
    height: stored.height,
    durationSeconds: stored.durationSeconds,
  }
}
