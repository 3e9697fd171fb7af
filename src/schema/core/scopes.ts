import { createContextCache } from '@pothos/core'
import DataLoader from 'dataloader'
import { isId } from '../../contract/ids.ts'
import { Refusal } from '../../contract/refusals/refusals.ts'
import type { Actor, ServiceActor } from '../../domain/access/actor.ts'
import { mayManageTeam } from '../../domain/access/keys/managingKey.ts'
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
  /** An internal tool with a service token that permits the action on an object of these owners. */
  service: { action: Action; ownerIds: readonly string[] }
  /** A signed-in person whose role in the team permits the action. */
  team: { teamId: string; action: Action }
  /** A key over REST of that team, with the scope. */
  teamKey: { teamId: string; scope: Scope }
  /** That person, signed in. */
  person: string
  /** Callers who may see that person's name and e-mail address: the person, their colleagues and internal tools. See `visiblePeople`. */
  colleague: string
  /** A key with the scope; over MCP, a key with the scope `mcp`. */
  key: Scope
}

/**
 * The scopes of an action of the permissions table, on an object that these teams or persons own. Without a known owner, they permit only
 * internal tools.
 */
export function allow(action: Action, ...owners: readonly (string | null | undefined)[]): Partial<AuthScopes> {
  const { roles, own, scope, teamScope } = permissionOf(action)
  const ownerIds = owners.filter((id) => typeof id === 'string')
  const teamId = ownerIds.find((id) => isId('team', id))
  const personId = ownerIds.find((id) => isId('user', id))
  return {
    service: { action, ownerIds },
    ...(roles && teamId ? { team: { teamId, action } } : {}),
    ...(own && personId ? { person: personId } : {}),
    ...(scope ? { key: scope } : {}),
    ...(teamScope && teamId ? { teamKey: { teamId, scope: teamScope } } : {}),
  }
}

/** Evaluates the scopes for one request. An unauthenticated caller has none. */
export function authScopes(request: Partial<SchemaContext>) {
  const actor = request.context?.actor
  const isService = actor?.kind === 'service'
  return {
    caller: isService || actor?.kind === 'key' || actor?.kind === 'person',
    service: (asked: AuthScopes['service']) => isService && tokenPermits(actor, asked),
    team: async ({ teamId, action }: AuthScopes['team']) => roleMay(await roleIn(request, teamId), action),
    teamKey: (asked: AuthScopes['teamKey']) => actor?.kind === 'key' && mayManageTeam(actor, asked),
    person: (userId: string) => actor?.kind === 'person' && actor.userId === userId,
    colleague: async (userId: string) => hasContext(request) && (await colleaguesOfCaller(request).load(userId)),
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
      const visible = await visiblePeople(context, ids)
      return ids.map((id) => visible.has(id))
    }),
)

async function roleIn(request: Partial<SchemaContext>, teamId: string): Promise<Role | undefined> {
  return hasContext(request) ? (await rolesOfCaller(request)).get(teamId) : undefined
}

function hasContext(request: Partial<SchemaContext>): request is SchemaContext {
  return request.context !== undefined
}

/** A token with `teamIds` may act on these teams and their objects only, and read the catalog. */
function tokenPermits({ token }: ServiceActor, { action, ownerIds }: AuthScopes['service']): boolean {
  if (!token?.teamIds) return true
  return ownerIds.length === 0 ? action === 'catalog.read' : ownerIds.some((id) => token.teamIds?.includes(id))
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
  if (actor?.kind === 'person' || actor?.kind === 'service')
    return new Refusal('access_denied', { cause: 'role' }, { message: 'You do not have permission to read or change this.' })
  return new Refusal('unauthorized')
}

/** The owner that a request names: the team, or without one the signed-in person. */
export function namedOwner(teamId: string | null | undefined, { context: { actor } }: SchemaContext): string | undefined {
  return teamId ?? (actor.kind === 'person' ? actor.userId : undefined)
}
