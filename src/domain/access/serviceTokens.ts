import { isId, newId } from '../../contract/ids.ts'
import type { NewServiceToken } from '../../contract/shapes/serviceTokenInput.ts'
import { ServiceToken } from '../../entities/ServiceToken.ts'
import { makeServiceToken, readServiceToken } from '../../secrets/apiKeyText.ts'
import { type Context, transaction } from '../context.ts'
import type { ListWindow } from '../listWindow.ts'
import { lockOwner } from '../lockOwner.ts'
import { recordAudit } from '../recordAudit.ts'
import { type Sql, statement } from '../sql.ts'
import { unknownId } from '../unknownId.ts'
import type { ServiceTokenGrant } from './actor.ts'

/**
 * Creates a named service token. Its text is returned once, as `value`, and is not stored. Refusals: invalid_request at `teamIds` for an
 * unknown team. Locks: the teams (for share). Contract: docs/contract.md#service-tokens.
 */
export async function createServiceToken(
  context: Context,
  { name, readOnly, teamIds }: NewServiceToken,
): Promise<{ token: ServiceToken; value: string }> {
  const { value, prefix, hash } = makeServiceToken()
  const teams = teamIds ? [...new Set(teamIds)].toSorted() : null
  const token = await transaction(context, async (inside) => {
    for (const teamId of teams ?? []) {
      if (!isId('team', teamId)) throw unknownId('teamIds', 'team')
      await lockOwner(inside, teamId, 'teamIds')
    }
    const id = newId('tok')
    const created = inside.em().create(ServiceToken, {
      id,
      name,
      prefix,
      hash,
      readOnly,
      teamIds: teams,
      createdAt: context.clock.now(),
      lastUsedAt: null,
      revokedAt: null,
    })
    await recordAudit(inside, { action: 'service_token.created', subjectId: id, after: { readOnly, teamIds: teams ?? undefined } })
    return created
  })
  return { token, value }
}

/** Revokes a service token: its next request is refused. A repeat changes nothing. Refusals: invalid_request at `id`. */
export async function revokeServiceToken(context: Context, id: string): Promise<ServiceToken> {
  if (!isId('tok', id)) throw unknownId('id', 'service token')
  await transaction(context, async (inside) => {
    const revoked = await inside.em().nativeUpdate(ServiceToken, { id, revokedAt: null }, { revokedAt: context.clock.now() })
    if (revoked > 0) await recordAudit(inside, { action: 'service_token.revoked', subjectId: id })
  })
  const token = await context.em().findOne(ServiceToken, { id }, { refresh: true })
  if (!token) throw unknownId('id', 'service token')
  return token
}

/** Lists the service tokens, newest first, including revoked ones, with `id` as the cursor. */
export async function listServiceTokens(context: Context, { after, before, limit, fromTheEnd }: ListWindow): Promise<ServiceToken[]> {
  const id = { ...(after === undefined ? {} : { $lt: after }), ...(before === undefined ? {} : { $gt: before }) }
  return await context.em().find(ServiceToken, { id }, { orderBy: { id: fromTheEnd ? 'asc' : 'desc' }, limit, refresh: true })
}

const findByHash = statement<ServiceTokenGrant>(
  'find_service_token',
  `with found as (
     select id, read_only, team_ids, last_used_at from service_tokens where hash = $1 and revoked_at is null
   ), used as (
     update service_tokens t set last_used_at = present() from found
       where t.id = found.id and (found.last_used_at is null or found.last_used_at < present() - interval '1 minute')
   )
   select id, read_only, team_ids from found`,
)

/**
 * Finds the grant of a presented service token; undefined for an unknown, malformed or revoked one. Updates `last_used_at` at most once a
 * minute. Contract: docs/contract.md#service-tokens.
 */
export async function findServiceToken(sql: Sql, presented: string): Promise<ServiceTokenGrant | undefined> {
  const hash = readServiceToken(presented)
  return hash && (await sql.one(findByHash, [hash]))
}
