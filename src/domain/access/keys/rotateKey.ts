import { type IssueCode, invalidRequest, Refusal } from '../../../contract/refusals/refusals.ts'
import type { KeyRotation } from '../../../contract/shapes/keyInputs.ts'
import type { ApiKey } from '../../../entities/ApiKey.ts'
import { makeApiKey } from '../../../secrets/apiKeyText.ts'
import { type Context, personIdOf, transaction } from '../../context.ts'
import { recordAudit } from '../../recordAudit.ts'
import { statement } from '../../sql.ts'
import { isLimitedTool } from '../actor.ts'
import { requireKey } from './findKey.ts'
import { stateOfKey } from './keyState.ts'
import { lockManagedKeys, requireObjectOfTeam, requireWithinRights } from './managingKey.ts'

/** Guarded by the hash that was read, so that of two concurrent rotations one is refused. $6: the holder of the new value. */
const replace = statement<{ id: string }>(
  'replace_key_value',
  `update api_keys set hash = $3, prefix = $4,
       previous_hash = case when $5::integer > 0 then hash end,
       previous_prefix = case when $5::integer > 0 then prefix end,
       previous_until = case when $5::integer > 0 then present() + $5::integer * interval '1 hour' end,
       value_holder_id = $6, previous_holder_id = case when $5::integer > 0 then value_holder_id end
     where id = $1 and hash = $2 and key_is_live(revoked_at, expires_at) returning id`,
)

/**
 * Gives a key a new value; its identity, ceilings, history and links stay. The present value keeps working for `overlapHours` (whole
 * hours, 0 to 168). A previous value from an earlier rotation ends at once, so a key has at most two values. The new text is returned
 * once, as `value`. If a person other than the issuer rotates, they become its holder: the value works only while they manage the team.
 * Refusals: invalid_request at `id`, also for a revoked or expired key or a concurrent rotation; access_denied for
 * a person who is not the issuer of a key with the scope `mcp`, because it spends the issuer's personal credits, and for a key with rights
 * beyond those of the asking key. Locks: the key and the asking key.
 * Contract: docs/contract.md#keys-over-graphql.
 */
export async function rotateKey(context: Context, { id, overlapHours }: KeyRotation): Promise<{ apiKey: ApiKey; value: string }> {
  const hours = overlapHours ?? 0
  const seen = await requireKey(context, id)
  requireObjectOfTeam(context, seen.teamId)
  requireIssuerOfAgentKey(context, seen)
  const { value, prefix, hash } = makeApiKey()
  const replaced = await transaction(context, async (inside) => {
    const own = await lockManagedKeys(inside, [id])
    requireWithinRights(own, own ? await requireKey(inside, id) : seen, 'The key')
    const row = await inside.sql.one(replace, [id, seen.hash, hash, prefix, hours, holderOfNewValue(context, seen)])
    if (row) await recordAudit(inside, { action: 'key.rotated', teamId: seen.teamId, subjectId: id, after: { overlapHours: hours } })
    return row
  })
  const apiKey = await requireKey(context, id)
  if (!replaced) throw notReplaced(apiKey, context.clock.now())
  return { apiKey, value }
}

/**
 * Whether the actor may receive a working value of the key. A service token of some teams receives none that spends personal credits; other
 * internal tools receive every value.
 */
export function mayReceiveKeyValue(context: Pick<Context, 'actor'>, { scopes, userId }: Pick<ApiKey, 'scopes' | 'userId'>): boolean {
  if (isLimitedTool(context.actor)) return !scopes.includes('mcp')
  const person = personIdOf(context)
  return person === null || person === userId || !scopes.includes('mcp')
}

/** The person recorded as holder of a new value. Null for the issuer, whose lost role stops every value. */
export function holderOfNewValue(context: Pick<Context, 'actor'>, { userId }: Pick<ApiKey, 'userId'>): string | null {
  const person = personIdOf(context)
  return person === userId ? null : person
}

function requireIssuerOfAgentKey(context: Context, key: ApiKey): void {
  if (mayReceiveKeyValue(context, key)) return
  const message =
    'Over MCP this key spends the personal credits of its issuer, so only the issuer can rotate it. Revoke it and issue your own key.'
  throw new Refusal('access_denied', { cause: 'role' }, { message })
}

function notReplaced(key: ApiKey, now: Date): Refusal {
  const state = stateOfKey(key, now)
  if (state === 'revoked') return refusedAt('id', 'conflict', 'The key is revoked.')
  if (state === 'expired') return refusedAt('id', 'conflict', 'The key has expired. Set a later end first.')
  return refusedAt('id', 'conflict', 'Somebody else rotated the key at the same time.')
}

function refusedAt(field: string, code: IssueCode, message: string): Refusal {
  return invalidRequest({ in: 'body', path: [field], code, message })
}
