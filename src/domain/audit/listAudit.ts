import type { AuditAction, AuditEntry } from '../../entities/AuditEntry.ts'
import type { Context } from '../context.ts'
import type { ListWindow } from '../listWindow.ts'
import { type Statement, statement } from '../sql.ts'
import { type FilterColumn, filterColumns, rarestFilter, selectiveEquality } from './rarestFilter.ts'

/** A filter that is null or missing matches every entry. Without `teamId`, entries without a team match too. `since` is inclusive. */
export type AuditFilter = {
  teamId?: string | undefined
  actorId?: string | null | undefined
  subjectId?: string | null | undefined
  action?: AuditAction | null | undefined
  since?: Date | null | undefined
  until?: Date | null | undefined
}

/**
 * An entry with its list key (`place`) and the current names of actor and subject. Names are joined at each read and never stored in the
 * log, so deleting a person also removes the name here.
 */
export type ListedEntry = AuditEntry & { place: string; actorName: string | null; subjectName: string | null }

/** The filters that select the index: one of the columns, the action, or both. The other filters are checked row by row. */
type IndexFilter = FilterColumn | 'action'
const indexFilters = [...filterColumns, 'action'] as const

const statements = new Map<string, Statement<ListedEntry>>()

function listStatement(by: readonly IndexFilter[], order: 'asc' | 'desc'): Statement<ListedEntry> {
  const name = ['list_audit', ...by, order].join('_')
  const cached = statements.get(name)
  if (cached) return cached
  const toTimestamp = (micros: string) => `timestamptz 'epoch' + ${micros}::bigint * interval '1 microsecond'`
  const created = statement<ListedEntry>(
    name,
    `with found as (
       select * from audit_entries
         where ${by.map((filter) => selectiveEquality(filter, `$${indexFilters.indexOf(filter) + 1}`)).join(' and ') || 'true'}
           and ($1::text is null or team_id = $1) and ($2::text is null or actor_id = $2) and ($3::text is null or subject_id = $3)
           and ($4::text is null or action = $4)
           and at >= coalesce($5::timestamptz, '-infinity') and at < coalesce($6::timestamptz, 'infinity')
           and (at, id) < (${toTimestamp('$7')}, $8::bigint) and (at, id) > (${toTimestamp('$9')}, $10::bigint)
         order by at ${order}, id ${order} limit $11
     )
     select f.id::text as id, f.at, f.team_id, f.actor_kind, f.actor_id, f.tool, f.action, f.subject_id, f.before, f.after, f.address,
         f.user_agent, f.request_id, (extract(epoch from f.at) * 1000000)::bigint || '|' || f.id as place,
         coalesce(person.name, actor_key.name, token.name) as actor_name,
         coalesce(member.name, subject_key.name, hook.address, subject_token.name, team.name, invitation.email) as subject_name
       from found f
       left join users person on f.actor_kind = 'person' and person.id = f.actor_id
       left join api_keys actor_key on f.actor_kind = 'key' and actor_key.id = f.actor_id
       left join service_tokens token on f.actor_kind = 'service' and token.id = f.actor_id
       left join users member on member.id = f.subject_id
       left join api_keys subject_key on subject_key.id = f.subject_id
       left join webhook_subscriptions hook on hook.id = f.subject_id
       left join service_tokens subject_token on subject_token.id = f.subject_id
       left join teams team on team.id = f.subject_id
       left join auth.invitations invitation on invitation.id = f.subject_id
       order by f.at ${order}, f.id ${order}`,
  )
  statements.set(name, created)
  return created
}

type Place = [micros: string, id: string]
const aboveAll: Place = ['9000000000000000', '9223372036854775807']
const belowAll: Place = ['0', '0']

/**
 * Lists the audit log, newest entry first. The key of an entry (`place`) never changes, so new entries do not shift a page. Team, actor
 * and subject each have an index in this order, alone and together with the action; the action has one too.
 * Contract: docs/contract.md#read-the-audit-log.
 */
export async function listAudit(
  context: Context,
  { teamId, actorId, subjectId, action, since, until }: AuditFilter,
  { after, before, limit, fromTheEnd }: ListWindow,
): Promise<ListedEntry[]> {
  const values = [teamId, actorId, subjectId]
  const filters = filterColumns.flatMap((column, index) => {
    const value = values[index]
    return typeof value === 'string' ? [{ column, value }] : []
  })
  const rarest = await rarestFilter(context, filters, action ?? undefined)
  const by: IndexFilter[] = [...(rarest ? [rarest] : []), ...(action ? (['action'] as const) : [])]
  return await context.sql.all(listStatement(by, fromTheEnd ? 'asc' : 'desc'), [
    teamId ?? null,
    actorId ?? null,
    subjectId ?? null,
    action ?? null,
    since ?? null,
    until ?? null,
    ...(after === undefined ? aboveAll : placeOf(after)),
    ...(before === undefined ? belowAll : placeOf(before)),
    limit,
  ])
}

const placeForm = /^(\d{1,16})\|([1-9]\d{0,17})$/

/** True for a well-formed list key of an audit entry. */
export function isAuditPlace(text: string): boolean {
  const [, micros] = placeForm.exec(text) ?? []
  return Number(micros) <= Number(aboveAll[0])
}

function placeOf(key: string): Place {
  const [micros = '0', id = '0'] = key.split('|')
  return [micros, id]
}
