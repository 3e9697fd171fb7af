import { limits } from '../../../contract/limits.ts'
import { type IssueCode, invalidRequest, Refusal } from '../../../contract/refusals/refusals.ts'
import type { ApiKey } from '../../../entities/ApiKey.ts'
import { makeApiKey } from '../../../secrets/apiKeyText.ts'
import { type Context, personIdOf, transaction } from '../../context.ts'
import { recordAudit } from '../../recordAudit.ts'
import { statement } from '../../sql.ts'
import { requireKey } from './findKey.ts'
import { stateOfKey } from './keyState.ts'

/** Only while the value is still the one that was read: what another rotation has just given out is not taken away unseen. $6 is shown it. */
const replace = statement<{ id: string }>(
  'replace_key_value',
  `update api_keys set hash = $3, prefix = $4,
       previous_hash = case when $5::integer > 0 then hash end,
       previous_prefix = case when $5::integer > 0 then prefix end,
       previous_until = case when $5::integer > 0 then present() + $5::integer * interval '1 hour' end,
       value_holder_id = $6, previous_holder_id = case when $5::integer > 0 then value_holder_id end
     where id = $1 and hash = $2 and key_lives(revoked_at, expires_at) returning id`,
)

/**
 * Gives a key a new value; its identity, ceilings, history and links stay. The present value works on for `overlapHours` (0 to 168,
 * whole ones); one that still worked from an earlier rotation ends at once, so there are never more than two. Of two rotations at the
 * same time one is refused. `value` is the only place where the new text ever stands. A person other than the issuer becomes its holder:
 * the value works only while they are owner or administrator of the team.
 * Refusals: invalid_request at `id`, also for a key that is revoked or has expired, and at `overlapHours`; access_denied for whoever has
 * signed in and is not the issuer of a key for agents, which spends the issuer's personal credits.
 * Contract: docs/contract.md#keys-over-graphql.
 */
export async function rotateKey(
  context: Context,
  { id, overlapHours }: { id: string; overlapHours?: number | null | undefined },
): Promise<{ apiKey: ApiKey; value: string }> {
  const hours = readOverlap(overlapHours ?? 0)
  const seen = await requireKey(context, id)
  requireIssuerOfAgentKey(context, seen)
  const { value, prefix, hash } = makeApiKey()
  const replaced = await transaction(context, async (inside) => {
    const row = await inside.sql.one(replace, [id, seen.hash, hash, prefix, hours, holderOf(context, seen)])
    if (row) await recordAudit(inside, { action: 'key.rotated', teamId: seen.teamId, subjectId: id, after: { overlapHours: hours } })
    return row
  })
  const apiKey = await requireKey(context, id)
  if (!replaced) throw notReplaced(apiKey, context.clock.now())
  return { apiKey, value }
}

/** Whether whoever asks may have a working value of the key. An internal tool may have any. */
export function mayReceiveKeyValue({ actor }: Pick<Context, 'actor'>, { scopes, userId }: Pick<ApiKey, 'scopes' | 'userId'>): boolean {
  return actor.kind !== 'person' || actor.userId === userId || !scopes.includes('mcp')
}

/** Who is recorded as having been shown a new value. The issuer is not: every value of the key stops with their role. */
function holderOf(context: Pick<Context, 'actor'>, { userId }: Pick<ApiKey, 'userId'>): string | null {
  const person = personIdOf(context)
  return person === userId ? null : person
}

function requireIssuerOfAgentKey(context: Context, key: ApiKey): void {
  if (mayReceiveKeyValue(context, key)) return
  const message =
    'Over MCP this key spends the personal credits of whoever issued it: they alone can rotate it. Revoke it and issue your own.'
  throw new Refusal('access_denied', undefined, { message })
}

function notReplaced(key: ApiKey, now: Date): Refusal {
  const state = stateOfKey(key, now)
  if (state === 'revoked') return refusedAt('id', 'conflict', 'The key is revoked.')
  if (state === 'expired') return refusedAt('id', 'conflict', 'The key has expired: give it a later end first.')
  return refusedAt('id', 'conflict', 'The key was rotated by somebody else at the same moment.')
}

function readOverlap(hours: number): number {
  const max = limits.keyOverlapHoursMax
  if (hours < 0) throw refusedAt('overlapHours', 'too_small', 'Takes at least 0 hours.')
  if (hours > max) throw refusedAt('overlapHours', 'too_big', `Takes at most ${max} hours.`)
  return hours
}

function refusedAt(field: string, code: IssueCode, message: string): Refusal {
  return invalidRequest({ in: 'body', path: [field], code, message })
}
