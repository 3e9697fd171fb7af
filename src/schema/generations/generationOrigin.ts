import { createContextCache } from '@pothos/core'
import DataLoader from 'dataloader'
import { creditsOf } from '../../contract/hundredths.ts'
import { isId } from '../../contract/ids.ts'
import type { PublicGeneration } from '../../contract/shapes/generation.ts'
import { loadUsers } from '../../domain/access/people/users.ts'
import type { Action } from '../../domain/access/permissions.ts'
import { type GenerationAttribution, loadAttributions } from '../../domain/generations/reading/loadAttributions.ts'
import { builder } from '../core/builder.ts'
import type { SchemaContext } from '../core/context.ts'
import { orderByKeys } from '../core/orderByKeys.ts'
import { type AuthScopes, allow } from '../core/scopes.ts'
import { ApiKeyType } from '../keys/apiKey.ts'
import { GenerationType } from './generation.ts'

/** Loads the attributions of all generations of a request in one batch. */
const origins = createContextCache(
  ({ context }: SchemaContext) =>
    new DataLoader<string, GenerationAttribution | undefined>(async (ids) => {
      const found = new Map((await loadAttributions(context, ids)).map((origin) => [origin.id, origin]))
      return ids.map((id) => found.get(id))
    }),
)

/** The attribution of a generation; `undefined` for an unknown one. */
async function loadOrigin(request: SchemaContext, id: string): Promise<GenerationAttribution | undefined> {
  return isId('gen', id) ? await origins(request).load(id) : undefined
}

/** The scopes of an action on the generation with that identifier. The owner is loaded only for callers whose access depends on it. */
export async function generationScopes(request: SchemaContext, action: Action, id: string): Promise<Partial<AuthScopes>> {
  const { actor } = request.context
  const dependsOnOwner = actor.kind === 'person' || (actor.kind === 'service' && actor.token?.teamIds)
  return allow(action, dependsOnOwner ? (await loadOrigin(request, id))?.ownerId : undefined)
}

/** The scopes of a cancel: in addition, a person may cancel what they started in the admin UI. */
export async function cancelScopes(request: SchemaContext, id: string): Promise<Partial<AuthScopes>> {
  const { actor } = request.context
  if (actor.kind !== 'person') return await generationScopes(request, 'generations.end', id)
  const origin = await loadOrigin(request, id)
  const isOwnRun = origin?.source === 'editor' && origin.userId === actor.userId
  return allow(isOwnRun ? 'generations.endOwnRun' : 'generations.end', origin?.ownerId)
}

const StarterType = builder.loadableObjectRef('GenerationStarter', {
  load: async (ids: string[], { context }) => orderByKeys(ids, await loadUsers(context, ids), ({ id }) => id),
})

builder.objectType(StarterType, {
  description: 'The person for whom a generation was started.',
  authScopes: { caller: true },
  fields: (t) => ({ userId: t.exposeID('id'), name: t.exposeString('name') }),
})

const originScopes = ({ generationId }: PublicGeneration, _args: object, request: SchemaContext) =>
  generationScopes(request, 'generations.readOrigin', generationId)

builder.objectFields(GenerationType, (t) => ({
  finalizingAt: t.field({
    type: 'DateTime',
    nullable: true,
    description: 'When the provider had made the output and the service began to fetch and store it; null before, and without an output.',
    resolve: async ({ generationId }, _args, request) => (await loadOrigin(request, generationId))?.finalizingAt,
  }),
  credits: t.float({
    description: 'The price, which was held at the start.',
    authScopes: originScopes,
    resolve: async ({ generationId }, _args, request) => creditsOf((await loadOrigin(request, generationId))?.price ?? (0 as never)),
  }),
  apiKey: t.field({
    type: ApiKeyType,
    nullable: true,
    description: 'The key that started the generation; null for the editor and internal tools.',
    authScopes: originScopes,
    resolve: async ({ generationId }, _args, request) => (await loadOrigin(request, generationId))?.keyId,
  }),
  startedBy: t.field({
    type: StarterType,
    nullable: true,
    description: 'Null for internal tools.',
    authScopes: originScopes,
    resolve: async ({ generationId }, _args, request) => (await loadOrigin(request, generationId))?.userId,
  }),
}))
