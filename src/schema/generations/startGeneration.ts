import { limits } from '../../contract/limits.ts'
import { callback } from '../../contract/shapes/callback.ts'
import { estimate, type PublicEstimate } from '../../contract/shapes/estimate.ts'
import type { PublicGeneration } from '../../contract/shapes/generation.ts'
import { generationRequest } from '../../contract/shapes/generationRequest.ts'
import { type QuotedEstimate, quotedEstimate } from '../../contract/shapes/quote.ts'
import type { PublicStarted } from '../../contract/shapes/startedGeneration.ts'
import { estimateGeneration } from '../../domain/generations/start/estimateGeneration.ts'
import { quoteGeneration } from '../../domain/generations/start/quoteGeneration.ts'
import { startGeneration } from '../../domain/generations/start/startGeneration.ts'
import { RunSecondsType } from '../catalog/family.ts'
import { builder } from '../core/builder.ts'
import { longest, maxFieldBytes } from '../core/fieldSizes.ts'
import { resolveStartSpender, resolveTeamSpender } from '../core/resolveTeamSpender.ts'
import { allow, namedOwner } from '../core/scopes.ts'
import { inputTypeOf, outputFields } from '../core/shapeFields.ts'
import { GenerationType } from './generation.ts'
import { waitOf, waitSecondsArgument } from './waitSeconds.ts'

const CallbackInput = inputTypeOf('GenerationCallbackInput', callback, {
  description: 'Sends the end of this generation to an address, like a webhook.',
  // REST passes its body on, whose events have the names of REST.
  fields: { events: { description: 'The ends to send, as in REST: `generation.failed`. Each once. Omitted: all.' } },
})

const GenerationInput = inputTypeOf('GenerationInput', generationRequest, {
  description: 'The body of POST /generations, validated by the same schema.',
  fields: { webhook: { type: CallbackInput, description: 'Receives the end of this generation. An estimate ignores it.' } },
})

const EstimateType = builder.objectRef<PublicEstimate>('Estimate')
const EstimatedVariant = builder.objectRef<PublicEstimate['variant']>('EstimatedVariant')
const PriceLine = builder.objectRef<PublicEstimate['breakdown'][number]>('PriceLine')

builder.objectType(EstimateType, {
  authScopes: { caller: true },
  fields: (t) => ({
    ...outputFields(t, estimate, {
      variant: { type: EstimatedVariant },
      breakdown: { type: [PriceLine] },
      expectedRunSeconds: { type: RunSecondsType },
    }),
    json: t.field({ type: 'JSON', description: 'The response of POST /generations/estimate.', resolve: (estimate) => estimate }),
  }),
})

builder.objectType(EstimatedVariant, {
  authScopes: { caller: true },
  fields: (t) => outputFields(t, estimate.shape.variant, { axes: maxFieldBytes(longest.smallJson) }),
})

builder.objectType(PriceLine, { authScopes: { caller: true }, fields: (t) => outputFields(t, estimate.shape.breakdown.element) })

builder.queryField('estimate', (t) =>
  t.field({
    type: EstimateType,
    description: 'The price of a request, and whether it could start now.',
    args: {
      input: t.arg({ type: GenerationInput, required: true }),
      teamId: t.arg.id({ description: 'The team that would pay. Absent, for a person: the person.' }),
    },
    authScopes: (_root, { teamId }, request) => allow('generations.estimate', namedOwner(teamId, request)),
    resolve: async (_root, { input, teamId }, { context }) => estimateGeneration(context, await resolveTeamSpender(context, teamId), input),
  }),
)

const QuotedEstimateType = builder.objectRef<QuotedEstimate>('QuotedEstimate')

builder.objectType(QuotedEstimateType, {
  description: 'An estimate with a quote for one start of the request.',
  authScopes: { caller: true },
  fields: (t) => ({
    ...outputFields(t, quotedEstimate.pick({ quoteId: true, quoteExpiresAt: true }), { quoteId: { type: 'ID' } }),
    json: t.field({ type: 'JSON', description: 'The result of estimate_generation for agents.', resolve: (quoted) => quoted }),
  }),
})

builder.mutationField('quoteGeneration', (t) =>
  t.field({
    type: QuotedEstimateType,
    description: 'The price of a request, and a quote for one start with the same key at no more than this price.',
    args: {
      input: t.arg({ type: GenerationInput, required: true }),
      teamId: t.arg.id({ description: 'The team that would pay, for internal tools.' }),
    },
    authScopes: (_root, { teamId }) => allow('generations.quote', teamId),
    resolve: async (_root, { input, teamId }, { context }) => quoteGeneration(context, await resolveTeamSpender(context, teamId), input),
  }),
)

const StartedType = builder.objectRef<{ generation: PublicGeneration; replayed: boolean }>('StartGenerationPayload')

builder.objectType(StartedType, {
  authScopes: { caller: true },
  fields: (t) => ({
    generation: t.expose('generation', { type: GenerationType }),
    replayed: t.exposeBoolean('replayed', { description: 'True when this repeats the response of an earlier start.' }),
    json: t.field({
      type: 'JSON',
      description: 'The response of POST /generations.',
      resolve: ({ generation, replayed }): PublicStarted => ({ ...generation, replayed }),
    }),
  }),
})

export const idempotencyKeyArgument = { validate: { minLength: 1, maxLength: limits.idempotencyKeyCharacters, regex: /^[ -~]+$/ } }

builder.mutationField('startGeneration', (t) =>
  t.field({
    type: StartedType,
    description: 'Holds the exact price and queues the generation. What a person starts has the source EDITOR.',
    args: {
      input: t.arg({ type: GenerationInput, required: true }),
      idempotencyKey: t.arg.string(idempotencyKeyArgument),
      quoteId: t.arg.id({ description: 'From `quoteGeneration`; instead of an idempotency key.' }),
      confirmed: t.arg.boolean({ description: 'The person of the agent has confirmed the price of the quote.' }),
      teamId: t.arg.id({ description: 'The team that pays, for people and internal tools.' }),
      waitSeconds: t.arg(waitSecondsArgument),
    },
    authScopes: (_root, { teamId }) => allow('generations.start', teamId),
    resolve: async (_root, { input, idempotencyKey, quoteId, confirmed, teamId, waitSeconds }, caller) => {
      const { context } = caller
      const spender = await resolveStartSpender(context, teamId)
      return await startGeneration(context, spender, {
        request: input,
        idempotencyKey: idempotencyKey ?? undefined,
        quoteId: quoteId ?? undefined,
        confirmed: confirmed ?? false,
        wait: waitOf(waitSeconds, caller),
      })
    },
  }),
)
