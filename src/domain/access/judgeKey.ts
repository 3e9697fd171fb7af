import type { Scope } from '../../entities/ApiKey.ts'
import { Refusal } from '../refusals.ts'
import type { KeyActor } from './actor.ts'
import type { FoundKey } from './requestGate.ts'

/**
 * Decides whether a found key may use the REST door, and as whom: account, then team, then role.
 * A key for agents alone is told so before any question of role.
 * Refusals: insufficient_scope, team_required, account_blocked, access_denied, team_expired. Contract: section 4, "who is refused with what".
 */
export function judgeRestKey(key: FoundKey, now: Date): KeyActor {
  if (key.scopes.every((scope) => scope === 'mcp')) {
    throw new Refusal('insufficient_scope', { required: 'a scope other than mcp', granted: key.scopes })
  }
  if (key.teamId === null) throw new Refusal('team_required', { missing: 'team' }, { message: 'This access goes with a team; the key has none.' })
  if (key.blocked) throw new Refusal('account_blocked')
  if (!key.externalAccess) throw new Refusal('access_denied')
  if (key.planExpiresAt !== null && key.planExpiresAt <= now) throw new Refusal('team_expired')
  if (key.role === null) {
    throw new Refusal('team_required', { missing: 'team' }, { message: 'The person who issued this key has left the team.' })
  }
  if (key.role === 'member') {
    throw new Refusal('team_required', { missing: 'role' }, { message: 'The person who issued this key is no longer owner or administrator of the team.' })
  }
  return {
    kind: 'key',
    door: 'rest',
    keyId: key.keyId,
    userId: key.userId,
    teamId: key.teamId,
    scopes: key.scopes,
    subscriptionActive: key.subscriptionActive,
  }
}

/** Refuses with insufficient_scope when the actor's key lacks the scope that an endpoint needs. Spec: Authentication, rule 4. */
export function requireScope(actor: KeyActor, required: Scope): void {
  if (!actor.scopes.includes(required)) throw new Refusal('insufficient_scope', { required, granted: actor.scopes })
}
