import { createContextCache } from '@pothos/core'
import DataLoader from 'dataloader'
import { Refusal } from '../../contract/refusals/refusals.ts'
import type { Actor } from '../../domain/access/actor.ts'
import { visiblePeople } from '../../domain/access/people/visiblePeople.ts'
import { rolesOf } from '../../domain/access/teams/rolesOf.ts'
import type { Scope } from '../../entities/ApiKey.ts'
import type { Role } from '../../entities/Membership.ts'
import type { SchemaContext } from './context.ts'

/** What a field or type may ask of its caller; any one of those that it names is enough. */
export type AuthScopes = {
  /** Anybody whom we know. For what can be reached only through fields that ask for more. */
  caller: boolean
  /** An internal tool with the service token. */
  service: boolean
  /** An owner or administrator of that team who has signed in, or an internal tool. */
  teamAdmin: string
  /** An owner of that team who has signed in, or an internal tool. */
  teamOwner: string
  /** Anybody of that team who has signed in, or an internal tool. */
  teamMember: string
  /** That very person, signed in, or an internal tool. */
  person: string
  /** Whoever may know that person's name and address: they themselves, somebody of a team of theirs, or an internal tool. */
  colleague: string
  /** A key that came in by one of our doors with that scope; at the door for agents `mcp` stands for all. */
  key: Scope
}

/** How the scopes are judged for one request. A caller whom nothing is known of has none. */
export function authScopes(request: Partial<SchemaContext>) {
  const actor = request.context?.actor
  const isService = actor?.kind === 'service'
  return {
    caller: isService || actor?.kind === 'key' || actor?.kind === 'person',
    service: isService,
    teamAdmin: async (teamId: string) => isService || ['owner', 'admin'].includes((await roleIn(request, teamId)) ?? ''),
    teamOwner: async (teamId: string) => isService || (await roleIn(request, teamId)) === 'owner',
    teamMember: async (teamId: string) => isService || (await roleIn(request, teamId)) !== undefined,
    person: (userId: string) => isService || (actor?.kind === 'person' && actor.userId === userId),
    colleague: async (userId: string) => isService || (hasContext(request) && (await colleaguesOfCaller(request).load(userId))),
    key: (scope: Scope) => keyHasScope(actor, scope),
  }
}

/** The teams of whoever asks, read once for a request. */
const rolesOfCaller = createContextCache(
  async ({ context }: SchemaContext): Promise<ReadonlyMap<string, Role>> =>
    context.actor.kind === 'person' ? await rolesOf(context, context.actor.userId) : new Map(),
)

/** Whom the caller may know, asked for all people of an answer at once. */
const colleaguesOfCaller = createContextCache(
  ({ context }: SchemaContext) =>
    new DataLoader<string, boolean>(async (ids) => {
      const { actor } = context
      const known = actor.kind === 'person' ? await visiblePeople(context, actor.userId, ids) : new Set()
      return ids.map((id) => known.has(id))
    }),
)

async function roleIn(request: Partial<SchemaContext>, teamId: string): Promise<Role | undefined> {
  return hasContext(request) ? (await rolesOfCaller(request)).get(teamId) : undefined
}

function hasContext(request: Partial<SchemaContext>): request is SchemaContext {
  return request.context !== undefined
}

function keyHasScope(actor: Actor | undefined, scope: Scope): boolean {
  return actor?.kind === 'key' && actor.scopes.includes(actor.door === 'mcp' ? 'mcp' : scope)
}

/**
 * What a caller without the scope is told: a key, that it lacks one; a person, that this is not theirs, whether it exists or not;
 * anybody else, that they are not known.
 */
export function unauthorized(request: Partial<SchemaContext>): Refusal {
  const actor = request.context?.actor
  if (actor?.kind === 'key') return new Refusal('insufficient_scope', { granted: actor.scopes })
  if (actor?.kind === 'person') return new Refusal('access_denied', undefined, { message: 'This is not yours to see or to change.' })
  return new Refusal('unauthorized')
}

/** The people who may ask in the name of a team, its members, or, where none is named, in their own: anybody who has signed in. */
export function memberScopes(teamId: string | null | undefined, { context: { actor } }: SchemaContext): Partial<AuthScopes> {
  if (typeof teamId === 'string') return { teamMember: teamId }
  return actor.kind === 'person' ? { person: actor.userId } : {}
}
