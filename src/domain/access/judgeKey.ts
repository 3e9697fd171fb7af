import { Refusal } from '../../contract/refusals.ts'
import type { Scope } from '../../entities/ApiKey.ts'
import type { KeyActor } from './actor.ts'
import type { FoundKey } from './admitRequests.ts'

/**
 * Refuses a key at the REST door whose account is closed, whose team's plan is over, or whose issuer no longer speaks for the team. A
 * key for agents alone is told what it lacks, the scope `required`, before any question of role.
 * Refusals: account_blocked, access_denied, team_expired, team_required, insufficient_scope.
 * Spec: Authentication, rule 4. Contract: section 4, "who is refused with what".
 */
export function requireStanding(key: FoundKey, required: Scope, now: Date): void {
  if (key.scopes.every((scope) => scope === 'mcp')) throw scopeMissing(key, required)
  if (key.teamId === null) throw teamRequired('team', 'This access goes with a team; the key has none.')
  if (key.blocked) throw new Refusal('account_blocked')
  if (!key.externalAccess) throw new Refusal('access_denied')
  if (key.planExpiresAt !== null && key.planExpiresAt <= now) throw new Refusal('team_expired')
  if (key.role === null) throw teamRequired('team', 'The person who issued this key has left the team.')
  if (key.role === 'member') throw teamRequired('role', 'The person who issued this key is no longer owner or administrator of the team.')
}

/** Refuses a key that lacks a scope. Refusals: insufficient_scope. Contract: section 3, order of checks. */
export function requireScope(key: FoundKey, required: Scope): void {
  if (!key.scopes.includes(required)) throw scopeMissing(key, required)
}

/** As whom a key acts that was let in by REST. */
export function restActorOf({ keyId, userId, teamId, scopes, subscriptionActive }: FoundKey): KeyActor {
  return { kind: 'key', door: 'rest', keyId, userId, teamId, scopes, subscriptionActive }
}

function scopeMissing({ scopes }: FoundKey, required: Scope): Refusal {
  return new Refusal('insufficient_scope', { required, granted: scopes })
}

function teamRequired(missing: 'team' | 'role', message: string): Refusal {
  return new Refusal('team_required', { missing }, { message })
}
