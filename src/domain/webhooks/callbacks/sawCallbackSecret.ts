import type { Context } from '../../context.ts'
import { statement } from '../../sql.ts'

type Member = { teamId: string; userId: string }

const find = statement<Member>(
  'viewers_of_callback_secrets',
  `select m.team_id, m.user_id from unnest($1::text[], $2::text[]) as m (team_id, user_id)
     join webhook_subscriptions s on s.team_id = m.team_id and s.kind = 'callbacks' and s.address = '' and s.deleted_at is null
     where m.user_id = s.secret_holder_id or m.user_id = any(s.secret_viewer_ids)`,
)

/**
 * For each member, in order: whether the member read the present secret of the team's callbacks. A member who leaves still has it; only a
 * rotation replaces it. Contract: docs/contract.md#callbacks.
 */
export async function sawCallbackSecret(context: Context, members: readonly Member[]): Promise<boolean[]> {
  const rows = await context.sql.all(find, [members.map(({ teamId }) => teamId), members.map(({ userId }) => userId)])
  return members.map(({ teamId, userId }) => rows.some((row) => row.teamId === teamId && row.userId === userId))
}
