import { createContextCache } from '@pothos/core'
import DataLoader from 'dataloader'
import type { PublicGeneration } from '../contract/generation.ts'
import { creditsOf } from '../contract/hundredths.ts'
import { isId } from '../contract/ids.ts'
import { loadUsers } from '../domain/access/users.ts'
import { type GenerationOrigin, loadOrigins } from '../domain/generations/loadOrigins.ts'
import { ApiKeyType } from './apiKey.ts'
import { builder } from './builder.ts'
import type { SchemaContext } from './context.ts'
import { GenerationType } from './generation.ts'
import { inOrderOf } from './inOrderOf.ts'

/** Read together for all generations of a request, and once each. */
const origins = createContextCache(
  ({ context }: SchemaContext) =>
    new DataLoader<string, GenerationOrigin | undefined>(async (ids) => {
      const found = new Map((await loadOrigins(context, ids)).map((origin) => [origin.id, origin]))
      return ids.map((id) => found.get(id))
    }),
)

/** Where a generation comes from; `undefined` when there is none. */
async function originOf(request: SchemaContext, id: string): Promise<GenerationOrigin | undefined> {
  return isId('gen', id) ? await origins(request).load(id) : undefined
}

/** Those who see the history that a generation stands in: its team, or the person whose own it is. An unknown one is nobody's. */
export async function viewersOf(request: SchemaContext, id: string) {
  const ownerId = (await originOf(request, id))?.ownerId ?? ''
  return { teamMember: ownerId, person: ownerId }
}

/** Those of them who may end its work: not every member of a team. */
export async function keepersOf(request: SchemaContext, id: string) {
  const ownerId = (await originOf(request, id))?.ownerId ?? ''
  return { teamAdmin: ownerId, person: ownerId }
}

const StarterType = builder.loadableObjectRef('GenerationStarter', {
  load: async (ids: string[], { context }) => inOrderOf(ids, await loadUsers(context, ids), ({ id }) => id),
})

builder.objectType(StarterType, {
  description: 'In whose name a generation was started.',
  authScopes: { caller: true },
  fields: (t) => ({ userId: t.exposeID('id'), name: t.exposeString('name') }),
})

const forViewers = ({ generationId }: PublicGeneration, _args: object, request: SchemaContext) => viewersOf(request, generationId)

builder.objectFields(GenerationType, (t) => ({
  credits: t.float({
    description: 'Its price: what was held when it was started.',
    authScopes: forViewers,
    resolve: async ({ generationId }, _args, request) => creditsOf((await originOf(request, generationId))?.price ?? (0 as never)),
  }),
  apiKey: t.field({
    type: ApiKeyType,
    nullable: true,
    description: 'The key that started it; null for what the editor or an internal tool started.',
    authScopes: forViewers,
    resolve: async ({ generationId }, _args, request) => (await originOf(request, generationId))?.keyId,
  }),
  startedBy: t.field({
    type: StarterType,
    nullable: true,
    description: 'Null for what an internal tool started.',
    authScopes: forViewers,
    resolve: async ({ generationId }, _args, request) => (await originOf(request, generationId))?.userId,
  }),
}))
