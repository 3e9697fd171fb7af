import { z } from 'zod'
import { limits } from '../limits.ts'
import { type CustomParams, issuesMax } from '../refusals/issues.ts'
import { codePoints } from '../refusals/plainText.ts'
import { callback } from './callback.ts'
import { requestedCallerFields } from './callerFields.ts'

const custom = (params: CustomParams) => params

const identifier = z.string().min(1)

/** Of any length: the variant limits the count. Checked as one value, because a body can contain tens of thousands of identifiers. */
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
      description: `${what}: identifiers of uploaded files or ready generations, in order.`,
      override: { type: 'array', items: { type: 'string', minLength: 1 } },
    })

/** Kept unchanged, `__proto__` included: the catalog checks the names. */
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
    description: 'Choices on the axes of the family, for example its `version`. An omitted axis has its default.',
    override: { type: 'object', additionalProperties: { type: 'string' } },
  })

const parameters = z
  .custom<Record<string, unknown>>()
  .superRefine((value: unknown, context) => {
    if (isPlainObject(value)) return
    context.addIssue({ code: 'custom', message: 'Takes an object of parameters.', params: custom({ issue: 'wrong_type' }) })
  })
  .meta({
    description: 'Parameters that match the JSON Schema of the family, without media.',
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
    description: 'The prompt. Models have stricter limits.',
    override: { type: 'string', maxLength: limits.promptCharacters },
  })

const fields = {
  familyId: identifier.meta({ description: 'The family of the catalog.', examples: ['sandbox-image'] }),
  prompt: prompt.optional(),
  axes: axes.optional(),
  modelId: identifier.meta({ description: 'The variant; not together with `axes`.' }).optional(),
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
    .meta({ description: 'Refuse the request when its price is above this many credits.' })
    .optional(),
  ...requestedCallerFields,
}

type Exclusive = Pick<z.output<z.ZodObject<typeof fields>>, 'modelId' | 'axes' | 'videoId' | 'videoIds'>

function refuseConflicts(body: Exclusive, context: z.RefinementCtx<unknown>): void {
  if (body.modelId !== undefined && body.axes !== undefined) {
    context.addIssue({
      code: 'custom',
      path: ['axes'],
      message: 'modelId and axes cannot be combined. Send one of them.',
      params: custom({ issue: 'conflict' }),
    })
  }
  if (body.videoId !== undefined && body.videoIds !== undefined) {
    context.addIssue({
      code: 'custom',
      path: ['videoIds'],
      message: 'videoId and videoIds cannot be combined. Send one of them.',
      params: custom({ issue: 'conflict' }),
    })
  }
}

const dependentSchemas = { modelId: without('axes'), videoId: without('videoIds') }

/**
 * The body of a start and of an estimate, which ignores the callback. Contract: docs/contract.md#start-a-generation.
 */
export const generationRequest = z
  .strictObject({ ...fields, webhook: callback.optional() })
  .superRefine(refuseConflicts)
  .meta({
    id: 'GenerationRequest',
    description: 'The request of a generation. Only familyId is required.',
    override: { dependentSchemas },
  })

/** The request of an agent. An agent has no callbacks: a text that it reads could name the address. */
export const agentRequest = z.strictObject(fields).superRefine(refuseConflicts).meta({
  description: 'The request of a generation. Only familyId is required.',
  override: { dependentSchemas },
})

/** The field names of the body. No parameter of a family may have such a name, so that `parameters` cannot contain media or a prompt. */
export const requestFields: readonly string[] = Object.keys(generationRequest.shape)

/** A validated start or estimate. `maxCredits` is in credits. Contract: docs/contract.md#start-a-generation. */
export type GenerationRequest = z.output<typeof generationRequest>

/** A dependent schema: `field` must be absent. */
function without(field: string) {
  return { properties: { [field]: false }, additionalProperties: true }
}

function isPlainObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
