import { createContextCache } from '@pothos/core'
import DataLoader from 'dataloader'
import { isId } from '../../contract/ids.ts'
import { Refusal } from '../../contract/refusals/refusals.ts'
import type { Actor } from '../../domain/access/actor.ts'
import { visiblePeople } from '../../domain/access/people/visiblePeople.ts'
import { type Action, permissionOf, roleMay } from '../../domain/access/permissions.ts'
import { rolesOf } from '../../domain/access/teams/rolesOf.ts'
import type { Scope } from '../../entities/ApiKey.ts'
import type { Role } from '../../entities/Membership.ts'
import type { SchemaContext } from './context.ts'

/** The scopes that a field or type can require. A caller needs one of the scopes that it names. Most come from {@link allow}. */
export type AuthScopes = {
  /** Any authenticated caller. For types that are reached only through fields with stricter scopes. */
  caller: boolean
  /** An internal tool with the service token. */
  service: boolean
  /** A signed-in person whose role in the team permits the action. */
  team: { teamId: string; action: Action }
  /** That person, signed in. */
  person: string
  /** Callers who may see that person's name and e-mail address: the person, their colleagues and internal tools. See `visiblePeople`. */
  colleague: string
  /** A key with the scope; over MCP, a key with the scope `mcp`. */
  key: Scope
}

/** The scopes of an action of the permissions table, on an object that a team or a person owns. An unknown owner permits only internal tools. */
export function allow(action: Action, ownerId?: string | null): Partial<AuthScopes> {
  const { roles, own, scope } = permissionOf(action)
  return {
    service: true,
    ...(roles && ownerId && isId('team', ownerId) ? { team: { teamId: ownerId, action } } : {}),
    ...(own && ownerId && isId('user', ownerId) ? { person: ownerId } : {}),
    ...(scope ? { key: scope } : {}),
  }
}

/** Evaluates the scopes for one request. An unauthenticated caller has none. */
export function authScopes(request: Partial<SchemaContext>) {
  const actor = request.context?.actor
  const isService = actor?.kind === 'service'
  return {
    caller: isService || actor?.kind === 'key' || actor?.kind === 'person',
    service: isService,
    team: async ({ teamId, action }: AuthScopes['team']) => roleMay(await roleIn(request, teamId), action),
    person: (userId: string) => actor?.kind === 'person' && actor.userId === userId,
    colleague: async (userId: string) => isService || (hasContext(request) && (await colleaguesOfCaller(request).load(userId))),
    key: (scope: Scope) => keyHasScope(actor, scope),
  }
}

/** The roles of the caller, read once for each request. */
const rolesOfCaller = createContextCache(
  async ({ context }: SchemaContext): Promise<ReadonlyMap<string, Role>> =>
    context.actor.kind === 'person' ? await rolesOf(context, context.actor.userId) : new Map(),
)

/** Whether the caller may see a person's name and e-mail address. One statement for all people of a response. */
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
 * The refusal of a caller without the scope: insufficient_scope for a key, access_denied for a person (also for unknown objects, so that
 * their existence is not revealed), unauthorized for other callers.
 */
export function unauthorized(request: Partial<SchemaContext>): Refusal {
  const actor = request.context?.actor
  if (actor?.kind === 'key') return new Refusal('insufficient_scope', { granted: actor.scopes })
  if (actor?.kind === 'person')
    return new Refusal('access_denied', undefined, { message: 'You do not have permission to read or change this.' })
  return new Refusal('unauthorized')
}

/** The owner that a request names: the team, or without one the signed-in person. */
export function namedOwner(teamId: string | null | undefined, { context: { actor } }: SchemaContext): string | undefined {
  return teamId ?? (actor.kind === 'person' ? actor.userId : undefined)
}
