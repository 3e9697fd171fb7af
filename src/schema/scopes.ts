import { Refusal } from '../contract/refusals.ts'
import type { Actor } from '../domain/access/actor.ts'
import type { Scope } from '../entities/ApiKey.ts'
import type { SchemaContext } from './context.ts'

/** What a field or type may ask of its caller; any one of those that it names is enough. */
export type AuthScopes = {
  /** Anybody whom we know. For what can be reached only through fields that ask for more. */
  caller: boolean
  /** An internal tool with the service token. */
  service: boolean
  /** Who may do what the owners and administrators of that team may. */
  teamAdmin: string
  /** Who may act for that person. */
  person: string
  /** A key that came in by one of our doors with that scope; at the door for agents `mcp` stands for all. */
  key: Scope
}

/** How the scopes are judged for one request. A caller whom nothing is known of has none. */
export function authScopes(request: Partial<SchemaContext>) {
  const actor = request.context?.actor
  const isService = actor?.kind === 'service'
  return {
    caller: isService || actor?.kind === 'key',
    service: isService,
    teamAdmin: (_teamId: string) => isService,
    person: (_userId: string) => isService,
    key: (scope: Scope) => keyMay(actor, scope),
  }
}

function keyMay(actor: Actor | undefined, scope: Scope): boolean {
  return actor?.kind === 'key' && actor.scopes.includes(actor.door === 'mcp' ? 'mcp' : scope)
}

/** What a caller without the scope is told: a key, that it lacks one; anybody else, that they are not known. */
export function unauthorized(request: Partial<SchemaContext>): Refusal {
  const actor = request.context?.actor
  return actor?.kind === 'key' ? new Refusal('insufficient_scope', { granted: actor.scopes }) : new Refusal('unauthorized')
}
