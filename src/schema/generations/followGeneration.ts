import type { PublicGeneration } from '../../contract/shapes/generation.ts'
import { followGeneration } from '../../domain/generations/reading/followGeneration.ts'
import { builder } from '../core/builder.ts'
import { resolveGenerationSpender } from '../core/resolveTeamSpender.ts'
import { GenerationType } from './generation.ts'
import { generationScopes } from './generationOrigin.ts'

builder.subscriptionType({ description: 'Used by the event streams of REST; the GraphQL endpoint does not support subscriptions.' })

builder.subscriptionField('generationChanges', (t) =>
  t.field({
    type: GenerationType,
    description: 'The generation now and after each change, until its end: GET /generations/{id}/events.',
    args: { id: t.arg.id({ required: true }) },
    authScopes: (_root, { id }, request) => generationScopes(request, 'generations.read', id),
    subscribe: async (_root, { id }, request) => {
      const spender = await resolveGenerationSpender(request.context, id)
      return await followGeneration(request.context, { spender, id, signal: request.signal })
    },
    resolve: (generation: PublicGeneration) => generation,
  }),
)
