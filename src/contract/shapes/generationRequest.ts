import { z } from 'zod'
import { limits } from '../limits.ts'
import { type CustomParams, issuesMax } from '../refusals/issues.ts'
import { codePoints } from '../refusals/plainText.ts'
import { requestedCallerFields } from './callerFields.ts'

const custom = (params: CustomParams) => params

const identifier = z.string().min(1)

/** Of any length, since it is the variant that says how many it takes; looked at as one value, for a body can hold tens of thousands. */
const mediaIds = (what: string) =>
  z
    .custom<string[]>()
    .superRefine((value: unknown, context) => {
      if (!Array.isArray(value)) {
        context.addIssue({ code: 'custom', message: 'Takes an array of identifiers.', params: custom({ issue: 'wrong_type' }) })
        return
      }
      const faulty = (value as unknown[]).entries().filter(([, id]) => typeof id !== 'string' || id === '')
      for (const [index, id] of faulty.take(issuesMax)) {
        const found: [CustomParams['issue'], string] =
          id === '' ? ['too_small', 'Takes at least 1 character.'] : ['wrong_type', 'Takes a string.']
        context.addIssue({ code: 'custom', path: [index], message: found[1], params: custom({ issue: found[0] }) })
      }
    })
    .meta({
      description: `${what}: identifiers of uploaded files or of ready generations, in their order.`,
      override: { type: 'array', items: { type: 'string', minLength: 1 } },
    })

/** Kept as it came, `__proto__` included: which names a family knows is the catalog's question, not the shape's. */
const axes = z
  .custom<Record<string, string>>()
  .superRefine((value: unknown, context) => {
    if (!isPlainObject(value)) {
      context.addIssue({ code: 'custom', message: 'Takes an object of axis values.', params: custom({ issue: 'wrong_type' }) })
      return
    }
    const faulty = Object.entries(value).filter(([, choice]) => typeof choice !== 'string')
    for (const [name] of faulty.slice(0, issuesMax)) {
      context.addIssue({ code: 'custom', path: [name], message: 'Takes a string.', params: custom({ issue: 'wrong_type' }) })
    }
  })
  .meta({
    description: 'Choices on the axes of the family, for example its `version`. An omitted axis takes its default.',
    override: { type: 'object', additionalProperties: { type: 'string' } },
  })

const parameters = z
  .custom<Record<string, unknown>>()
  .superRefine((value: unknown, context) => {
    if (isPlainObject(value)) return
    context.addIssue({ code: 'custom', message: 'Takes an object of parameters.', params: custom({ issue: 'wrong_type' }) })
  })
  .meta({
    description: 'Parameters by the JSON Schema of the family. Media never stand here.',
    override: { type: 'object', additionalProperties: true },
  })

const prompt = z
  .string()
  .superRefine((text, context) => {
    if (text.length <= limits.promptCharacters || codePoints(text) <= limits.promptCharacters) return
    const message = `Takes at most ${limits.promptCharacters} characters.`
    context.addIssue({ code: 'custom', message, params: custom({ issue: 'too_long' }) })
  })
  .meta({
    description: 'What to make. Models have stricter limits of their own.',
    override: { type: 'string', maxLength: limits.promptCharacters },
  })

/**
 * The body of a start and of an estimate. Contract: docs/contract.md#start-a-generation.
 */
export const generationRequest = z
  .strictObject({
    familyId: identifier.meta({ description: 'Which family of the catalog.', examples: ['sandbox-image'] }),
    prompt: prompt.optional(),
    axes: axes.optional(),
    modelId: identifier.meta({ description: 'Names a whole variant; excludes `axes`.' }).optional(),
    parameters: parameters.optional(),
    imageIds: mediaIds('Images').optional(),
    videoId: identifier.meta({ description: 'A single video.' }).optional(),
    videoIds: mediaIds('Videos').optional(),
    audioIds: mediaIds('Audio').optional(),
    model3dIds: mediaIds('3D models').optional(),
    maxCredits: z
      .number()
      .min(0)
      .max(limits.maxCreditsCeiling)
      .meta({ description: 'Refuse the request when it costs more than this many credits.' })
      .optional(),
    ...requestedCallerFields,
  })
  .superRefine((body, context) => {
    if (body.modelId !== undefined && body.axes !== undefined) {
      context.addIssue({
        code: 'custom',
        path: ['axes'],
        message: 'modelId and axes exclude each other.',
        params: custom({ issue: 'conflict' }),
      })
    }
    if (body.videoId !== undefined && body.videoIds !== undefined) {
      context.addIssue({
        code: 'custom',
        path: ['videoIds'],
        message: 'videoId and videoIds exclude each other.',
        params: custom({ issue: 'conflict' }),
      })
    }
  })
  .meta({
    id: 'GenerationRequest',
    description: 'What to run. Only familyId is required.',
    override: { dependentSchemas: { modelId: without('axes'), videoId: without('videoIds') } },
  })

/** Names of the body: no parameter of a family may be called so, or media and prompt could slip in under `parameters`. */
export const requestFields: readonly string[] = Object.keys(generationRequest.shape)

/** A start or estimate whose shape is known to be right. `maxCredits` is in credits. Contract: docs/contract.md#start-a-generation. */
export type GenerationRequest = z.output<typeof generationRequest>

/** Said of a field in `dependentSchemas`: another one may not stand beside it. */
function without(field: string) {
  return { properties: { [field]: false }, additionalProperties: true }
}

function isPlainObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
