import { askOperatorTo } from '../../../contract/refusals/askOperator.ts'
import { Refusal } from '../../../contract/refusals/refusals.ts'
import type { Scope } from '../../../entities/ApiKey.ts'
import type { KeyActor } from '../actor.ts'
import type { FoundKey } from '../admission/admitRequests.ts'
import { roleMay } from '../permissions.ts'

/**
 * Refuses a key whose team is blocked, closed or past the end of its plan, a key whose issuer lost the role to issue it, and a value whose
 * holder no longer manages the team. At REST an agent key gets the missing scope `required` as its first refusal. Over MCP an agent key
 * needs no team, and in a team any role of its issuer is enough.
 * Refusals: account_blocked, access_denied, team_expired, team_required, insufficient_scope.
 * Contract: docs/contract.md#who-is-refused.
 */
export function checkKeyAccess(key: FoundKey, required: Scope, now: Date): void {
  const isAgentOnly = key.scopes.every((scope) => scope === 'mcp')
  if (isAgentOnly && required !== 'mcp') throw scopeMissing(key, required)
  if (key.teamId === null) {
    if (isAgentOnly) return
    throw teamRequired('team', 'This access needs a team, and the key belongs to none.')
  }
  if (key.blocked) throw new Refusal('account_blocked')
  if (!key.externalAccess) throw new Refusal('access_denied', { cause: 'external_access_off' })
  if (key.planExpiresAt !== null && key.planExpiresAt <= now) throw new Refusal('team_expired')
  if (key.role === null) throw teamRequired('team', 'The person who issued this key has left the team.')
  if (!roleMay(key.role, isAgentOnly ? 'agentKeys.issue' : 'keys.issue'))
    throw teamRequired('role', 'The person who issued this key is no longer owner or administrator of the team.')
  requireHolderRole(key)
}

/** A value that a rotation showed to a person other than the issuer works only while that person manages the team. */
function requireHolderRole({ holderId, holderRole }: FoundKey): void {
  if (holderId === null || roleMay(holderRole, 'keys.manage')) return
  const [missing, what] =
    holderRole === null ? (['team', 'has left the team'] as const) : (['role', 'is no longer owner or administrator of the team'] as const)
  throw teamRequired(
    missing,
    `The person who rotated this key and was shown this value ${what}. Rotate the key again for a value that works.`,
  )
}

/** Refuses a key that lacks a scope. Refusals: insufficient_scope. Contract: docs/contract.md#order-of-checks. */
export function requireScope(key: FoundKey, required: Scope): void {
  if (!key.scopes.includes(required)) throw scopeMissing(key, required)
}

/**
 * Refuses an MCP request whose issuer has no active subscription. Refusals: subscription_required.
 * Contract: docs/contract.md#agent-keys.
 */
export function requireActiveSubscription({ subscriptionActive }: FoundKey): void {
  if (subscriptionActive) return
  throw new Refusal('subscription_required', undefined, {
    message: `Agents need an active subscription of the person who issued the key. ${askOperatorTo('activate it')}`,
  })
}

/** The actor for an authenticated key of that interface. */
export function keyActorFor(door: KeyActor['door'], key: FoundKey): KeyActor {
  const { keyId, userId, teamId, scopes, subscriptionActive, expiresAt, holderId } = key
  return { kind: 'key', door, keyId, userId, teamId, scopes, subscriptionActive, expiresAt, holderId }
}

function scopeMissing({ scopes }: FoundKey, required: Scope): Refusal {
  return new Refusal('insufficient_scope', { required, granted: scopes })
}

function teamRequired(missing: 'team' | 'role', message: string): Refusal {
  return new Refusal('team_required', { missing }, { message })
}
