import type { PublicGeneration } from '../contract/generation.ts'
import { followGeneration } from '../domain/generations/followGeneration.ts'
import { builder } from './builder.ts'
import { GenerationType } from './generation.ts'
import { viewersOf } from './generationOrigin.ts'
import { spenderOfGeneration } from './spenderFor.ts'

builder.subscriptionType({ description: 'For streams of REST; this interface answers with one document and takes no subscriptions.' })

builder.subscriptionField('generationChanges', (t) =>
  t.field({
    type: GenerationType,
    description: 'How it stands, and each change until its end: GET /generations/{id}/events.',
    args: { id: t.arg.id({ required: true }) },
    authScopes: (_root, { id }, request) =>
      request.context.actor.kind === 'person' ? viewersOf(request, id) : { service: true, key: 'generations:read' },
    subscribe: async (_root, { id }, request) => {
      const spender = await spenderOfGeneration(request.context, id)
      return await followGeneration(request.context, { spender, id, signal: request.signal })
    },
    resolve: (generation: PublicGeneration) => generation,
  }),
)
