import { limits } from '../../../contract/limits.ts'
import type { Context } from '../../context.ts'
import { statement } from '../../sql.ts'

type Member = { teamId: string; userId: string }

const find = statement<Member & { id: string; kind: 'events' | 'alerts' }>(
  'shown_webhooks',
  `select m.team_id, m.user_id, shown.id, k.kind
     from unnest($1::text[], $2::text[]) as m (team_id, user_id) cross join unnest(array['events', 'alerts']) as k (kind)
       cross join lateral (
         select id from webhook_subscriptions
           where team_id = m.team_id and kind = k.kind and secret_holder_id = m.user_id and deleted_at is null
           order by id desc limit ${limits.shownValuesListed}
       ) shown
     order by shown.id desc`,
)

/** Identifiers of subscriptions to events and to alerts. */
export type ShownSubscriptions = { webhooks: string[]; alerts: string[] }

/**
 * For each member, in order: the team's subscriptions whose current signing secret was shown to the member, newest first, 50 of each kind at
 * most. A member who leaves still has these secrets; only a rotation replaces them. Contract: docs/contract.md#teams-and-members.
 */
export async function findShownWebhooks(context: Context, members: readonly Member[]): Promise<ShownSubscriptions[]> {
  const rows = await context.sql.all(find, [members.map(({ teamId }) => teamId), members.map(({ userId }) => userId)])
  return members.map(({ teamId, userId }) => {
    const own = rows.filter((row) => row.teamId === teamId && row.userId === userId)
    const idsOf = (wanted: 'events' | 'alerts') => own.filter(({ kind }) => kind === wanted).map(({ id }) => id)
    return { webhooks: idsOf('events'), alerts: idsOf('alerts') }
  })
}
