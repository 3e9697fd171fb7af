import { Refusal } from '../../../contract/refusals/refusals.ts'
import type { ApiKey, Scope } from '../../../entities/ApiKey.ts'
import type { Hundredths } from '../../../entities/Hundredths.ts'
import type { Context } from '../../context.ts'
import { statement } from '../../sql.ts'
import type { KeyActor } from '../actor.ts'

/** The scopes, ceilings and end of a key. Null: no ceiling, no end. */
export type KeyRights = Pick<ApiKey, 'scopes' | 'dailyLimit' | 'monthlyLimit' | 'singleLimit' | 'confirmAbove' | 'expiresAt'>

type ManagingKey = KeyRights & { teamId: string; isLive: boolean; valueWorks: boolean; holderMayAct: boolean; issuerManagesTeam: boolean }

/** Locks in one order, so that two keys that manage each other do not deadlock. */
const lockKeys = statement<{ id: string }>(
  'lock_keys_to_manage',
  'select id from api_keys where id = any($1) order by id for no key update',
)

/**
 * Reads the rights of the presented value of a key. A value from before a rotation ends with the overlap, and so do its rights.
 * $2: the hash of the presented value.
 */
const readRights = statement<ManagingKey>(
  'rights_of_managing_key',
  `select k.team_id, k.scopes, k.daily_limit, k.monthly_limit, k.single_limit, k.confirm_above,
       case when k.hash is distinct from coalesce($2, k.hash) then least(k.expires_at, k.previous_until) else k.expires_at end as expires_at,
       s.is_live, s.issuer_manages_team,
       k.hash = coalesce($2, k.hash) or (k.previous_hash = $2 and k.previous_until > present()) as value_works,
       case when k.hash = coalesce($2, k.hash) then s.holder_may_act else s.previous_holder_may_act end as holder_may_act
     from api_keys k join key_standing() s on s.key_id = k.id where k.id = $1`,
)

/**
 * Locks the keys with the identifiers `keyIds`, in the transaction that changes them. When a key asks, checks it again, and returns its
 * rights; otherwise returns undefined. Refusals: invalid_token, team_required. Locks: the keys and the asking key, in order.
 * Contract: docs/contract.md#management-by-key.
 */
export async function lockManagedKeys(inside: Context, keyIds: readonly string[]): Promise<ManagingKey | undefined> {
  const { actor, sql } = inside
  await sql.all(lockKeys, [actor.kind === 'key' ? [...keyIds, actor.keyId] : keyIds])
  if (actor.kind !== 'key') return undefined
  const key = await sql.one(readRights, [actor.keyId, actor.valueHash ?? null])
  if (!key?.isLive || !key.valueWorks) throw new Refusal('invalid_token')
  if (!key.issuerManagesTeam || !key.holderMayAct) {
    const message = 'The person behind this key is no longer owner or administrator of the team.'
    throw new Refusal('team_required', { missing: 'role' }, { message })
  }
  return key
}

/** Refuses an object of another team to a key, so that its existence is not revealed. Refusals: not_found. */
export function requireObjectOfTeam({ actor }: Pick<Context, 'actor'>, teamId: string | null | undefined): void {
  if (actor.kind === 'key' && (actor.teamId === null || teamId !== actor.teamId)) throw new Refusal('not_found')
}

/**
 * Refuses rights beyond those of the asking key: a scope that it lacks, a higher ceiling or none where it has one, a later end or none
 * where it has one. `what` begins the message. Refusals: access_denied. Contract: docs/contract.md#management-by-key.
 */
export function requireWithinRights(own: KeyRights | undefined, asked: KeyRights, what: string): void {
  const beyond = own && firstBeyond(own, asked)
  if (!beyond) return
  throw new Refusal(
    'access_denied',
    { cause: 'role' },
    { message: `${what} ${beyond} beyond this key's own, so this key may not do that.` },
  )
}

function firstBeyond(own: KeyRights, asked: KeyRights): string | undefined {
  const scope = asked.scopes.find((each) => !own.scopes.includes(each))
  if (scope !== undefined) return `has the scope ${scope}, which is`
  if (isAbove(own.dailyLimit, asked.dailyLimit)) return 'has a daily ceiling'
  if (isAbove(own.monthlyLimit, asked.monthlyLimit)) return 'has a monthly ceiling'
  if (isAbove(own.singleLimit, asked.singleLimit)) return 'has a single ceiling'
  // Only agents ask for a confirmation.
  if (asked.scopes.includes('mcp') && isAbove(own.confirmAbove, asked.confirmAbove)) return 'asks for a confirmation at a price'
  const [end, askedEnd] = [own.expiresAt, asked.expiresAt]
  return end !== null && (askedEnd === null || askedEnd > end) ? 'has an end' : undefined
}

/** Null is no ceiling, which is above every ceiling. */
function isAbove(own: Hundredths | null, asked: Hundredths | null): boolean {
  return own !== null && (asked === null || asked > own)
}

/** Whether a key over REST may manage objects of the team. Its issuer's role was checked when the request was admitted. */
export function mayManageTeam(actor: KeyActor, { teamId, scope }: { teamId: string; scope: Scope }): boolean {
  return actor.door === 'rest' && actor.teamId === teamId && actor.scopes.includes(scope)
}
