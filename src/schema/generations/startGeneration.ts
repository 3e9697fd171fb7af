import { limits } from '../../contract/limits.ts'
import type { PublicEstimate } from '../../contract/shapes/estimate.ts'
import type { PublicGeneration } from '../../contract/shapes/generation.ts'
import { type GenerationRequest, generationRequest } from '../../contract/shapes/generationRequest.ts'
import type { QuotedEstimate } from '../../contract/shapes/quote.ts'
import type { PublicStarted } from '../../contract/shapes/startedGeneration.ts'
import { estimateGeneration } from '../../domain/generations/start/estimateGeneration.ts'
import { quoteGeneration } from '../../domain/generations/start/quoteGeneration.ts'
import { startGeneration } from '../../domain/generations/start/startGeneration.ts'
import { RunSecondsType } from '../catalog/family.ts'
import { builder } from '../core/builder.ts'
import { longest, maxFieldBytes } from '../core/fieldSizes.ts'
import { resolveTeamSpender } from '../core/resolveTeamSpender.ts'
import { memberScopes } from '../core/scopes.ts'
import { GenerationType } from './generation.ts'
import { waitOf, waitSecondsArgument } from './waitSeconds.ts'

const GenerationInput = builder.inputType('GenerationInput', {
  description: 'What to run: the body of POST /generations, checked by the same schema.',
  validate: { schema: generationRequest },
  fields: (t) => ({
    familyId: t.string({ required: true }),
    prompt: t.string(),
    axes: t.field({ type: 'JSON', description: 'Choices on the axes of the family, by name.' }),
    modelId: t.string({ description: 'Names a whole variant; excludes `axes`.' }),
    parameters: t.field({ type: 'JSON', description: 'By the JSON Schema of the family.' }),
    imageIds: t.stringList(),
    videoId: t.string(),
    videoIds: t.stringList(),
    audioIds: t.stringList(),
    model3dIds: t.stringList(),
    maxCredits: t.float({ description: 'Refuse the request when it costs more.' }),
    reference: t.string({ description: 'A word of your own for it, to find it by.' }),
    metadata: t.field({ type: 'JSON', description: 'Strings of your own, by name.' }),
  }),
})

const EstimateType = builder.objectRef<PublicEstimate>('Estimate')
const EstimatedVariant = builder.objectRef<PublicEstimate['variant']>('EstimatedVariant')
const PriceLine = builder.objectRef<PublicEstimate['breakdown'][number]>('PriceLine')

builder.objectType(EstimateType, {
  authScopes: { caller: true },
  fields: (t) => ({
    familyId: t.exposeString('familyId'),
    variant: t.expose('variant', { type: EstimatedVariant }),
    credits: t.exposeFloat('credits'),
    creditsAvailable: t.exposeFloat('creditsAvailable'),
    sufficient: t.exposeBoolean('sufficient'),
    breakdown: t.expose('breakdown', { type: [PriceLine] }),
    expectedRunSeconds: t.expose('expectedRunSeconds', { type: RunSecondsType }),
    blockers: t.exposeStringList('blockers', { description: 'Refusal codes that a start would meet now.' }),
    json: t.field({ type: 'JSON', description: 'As POST /generations/estimate answers.', resolve: (estimate) => estimate }),
  }),
})

builder.objectType(EstimatedVariant, {
  authScopes: { caller: true },
  fields: (t) => ({
    modelId: t.exposeString('modelId'),
    task: t.exposeString('task'),
    axes: t.expose('axes', { type: 'JSON', ...maxFieldBytes(longest.smallJson) }),
  }),
})

builder.objectType(PriceLine, {
  authScopes: { caller: true },
  fields: (t) => ({ unit: t.exposeString('unit'), quantity: t.exposeFloat('quantity'), credits: t.exposeFloat('credits') }),
})

builder.queryField('estimate', (t) =>
  t.field({
    type: EstimateType,
    description: 'What a request would cost, and whether a start would pass now.',
    args: {
      input: t.arg({ type: GenerationInput, required: true }),
      teamId: t.arg.id({ description: 'Who would pay; left out by a person, they themselves.' }),
    },
    authScopes: (_root, { teamId }, request) => ({ service: true, key: 'generations:read', ...memberScopes(teamId, request) }),
    resolve: async (_root, { input, teamId }, { context }) =>
      estimateGeneration(context, await resolveTeamSpender(context, teamId), input as GenerationRequest),
  }),
)

const QuotedEstimateType = builder.objectRef<QuotedEstimate>('QuotedEstimate')

builder.objectType(QuotedEstimateType, {
  description: 'An estimate, and a quote for one start of that request.',
  authScopes: { caller: true },
  fields: (t) => ({
    quoteId: t.exposeID('quoteId'),
    quoteExpiresAt: t.expose('quoteExpiresAt', { type: 'DateTime' }),
    json: t.field({ type: 'JSON', description: 'As estimate_generation answers agents.', resolve: (quoted) => quoted }),
  }),
})

builder.mutationField('quoteGeneration', (t) =>
  t.field({
    type: QuotedEstimateType,
    description: 'What a request would cost, and a quote: good for one start with the same key, for no more.',
    args: {
      input: t.arg({ type: GenerationInput, required: true }),
      teamId: t.arg.id({ description: 'Who would pay, for internal tools.' }),
    },
    authScopes: { service: true, key: 'generations:read' },
    resolve: async (_root, { input, teamId }, { context }) =>
      quoteGeneration(context, await resolveTeamSpender(context, teamId), input as GenerationRequest),
  }),
)

const StartedType = builder.objectRef<{ generation: PublicGeneration; replayed: boolean }>('StartGenerationPayload')

builder.objectType(StartedType, {
  authScopes: { caller: true },
  fields: (t) => ({
    generation: t.expose('generation', { type: GenerationType }),
    replayed: t.exposeBoolean('replayed', { description: 'True when this repeats the answer to an earlier start.' }),
    json: t.field({
      type: 'JSON',
      description: 'As POST /generations answers.',
      resolve: ({ generation, replayed }): PublicStarted => ({ ...generation, replayed }),
    }),
  }),
})

builder.mutationField('startGeneration', (t) =>
  t.field({
    type: StartedType,
    description: 'Holds the exact price and queues the work.',
    args: {
      input: t.arg({ type: GenerationInput, required: true }),
      idempotencyKey: t.arg.string({ validate: { minLength: 1, maxLength: limits.idempotencyKeyCharacters, regex: /^[ -~]+$/ } }),
      quoteId: t.arg.id({ description: 'Of `quoteGeneration`; instead of an idempotency key.' }),
      confirmed: t.arg.boolean({ description: 'The person behind an agent has agreed to the price of the quote.' }),
      teamId: t.arg.id({ description: 'Who pays, for internal tools.' }),
      waitSeconds: t.arg(waitSecondsArgument),
    },
    authScopes: { service: true, key: 'generations:write' },
    resolve: async (_root, { input, idempotencyKey, quoteId, confirmed, teamId, waitSeconds }, caller) => {
      const { context } = caller
      const spender = await resolveTeamSpender(context, teamId)
      const request = input as GenerationRequest
      return await startGeneration(context, spender, {
        request,
        idempotencyKey: idempotencyKey ?? undefined,
        quoteId: quoteId ?? undefined,
        confirmed: confirmed ?? false,
        wait: waitOf(waitSeconds, caller),
      })
    },
  }),
)
