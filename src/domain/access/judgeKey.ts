import { Refusal } from '../../contract/refusals.ts'
import type { Scope } from '../../entities/ApiKey.ts'
import type { KeyActor } from './actor.ts'
import type { FoundKey } from './admitRequests.ts'

/**
 * Decides whether a found key may use the REST door for what needs the scope `required`, and as whom: account, then team, then role,
 * then scope. A key for agents alone is told so before any question of role.
 * Refusals: insufficient_scope, team_required, account_blocked, access_denied, team_expired.
 * Spec: Authentication, rule 4. Contract: section 3, order of checks; section 4, "who is refused with what".
 */
export function judgeRestKey(key: FoundKey, required: Scope, now: Date): KeyActor {
  if (key.scopes.every((scope) => scope === 'mcp')) throw scopeMissing(key, required)
  if (key.teamId === null)
    throw new Refusal('team_required', { missing: 'team' }, { message: 'This access goes with a team; the key has none.' })
  if (key.blocked) throw new Refusal('account_blocked')
  if (!key.externalAccess) throw new Refusal('access_denied')
  if (key.planExpiresAt !== null && key.planExpiresAt <= now) throw new Refusal('team_expired')
  if (key.role === null) {
    throw new Refusal('team_required', { missing: 'team' }, { message: 'The person who issued this key has left the team.' })
  }
  if (key.role === 'member') {
    throw new Refusal(
      'team_required',
      { missing: 'role' },
      { message: 'The person who issued this key is no longer owner or administrator of the team.' },
    )
  }
  if (!key.scopes.includes(required)) throw scopeMissing(key, required)
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

function scopeMissing({ scopes }: FoundKey, required: Scope): Refusal {
  return new Refusal('insufficient_scope', { required, granted: scopes })
}
