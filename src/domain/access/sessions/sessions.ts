import { createHash } from 'node:crypto'
import { limits } from '../../../contract/limits.ts'
import { type Context, transaction } from '../../context.ts'
import { recordAudit } from '../../recordAudit.ts'
import { statement } from '../../sql.ts'

/** The digest of a session token, which is stored in place of the token. */
export function sessionDigest(token: string): Buffer {
  return createHash('sha256').update(token).digest()
}

/** SQL condition on a session `s`: the last renewal was more than a day ago, and the session can still be extended. */
export const sessionNeedsRenewal = `s.expires_at < least(present() + interval '${limits.sessionIdleDays - 1} days',
  s.created_at + interval '${limits.sessionDaysMax} days')`

const renew = statement<never>(
  'renew_session',
  `update auth.sessions
     set expires_at = least(present() + $2 * interval '1 day', created_at + $3 * interval '1 day'), used_at = present()
     where id = $1 and expires_at > present()`,
)

/** Extends a session that is in use, up to its maximum age. */
export async function renewSession({ sql }: Pick<Context, 'sql'>, id: string): Promise<void> {
  await sql.all(renew, [id, limits.sessionIdleDays, limits.sessionDaysMax])
}

const end = statement<{ userId: string }>('end_session', 'delete from auth.sessions where digest = $1 returning user_id')

/** Ends a session. Does nothing when there is none. */
export async function endSession(context: Context, digest: Buffer): Promise<void> {
  await transaction(context, async (inside) => {
    const ended = await inside.sql.one(end, [digest])
    if (!ended) return
    const { userId } = ended
    await recordAudit({ ...inside, actor: { kind: 'person', userId } }, { action: 'user.signed_out', subjectId: userId })
  })
}

const endAll = statement<{ id: string }>(
  'end_sessions',
  `delete from auth.sessions where user_id = $1 and ($2::timestamptz is null or created_at >= $2) and ($3::text is null or id <> $3)
     returning id`,
)

type EndedSessions = { /** Those begun at that time or later. */ since?: Date | undefined; except?: string | undefined }

/** Ends the sessions of a person in the transaction of the context. Returns how many. */
export async function endSessionsOf({ sql }: Pick<Context, 'sql'>, userId: string, { since, except }: EndedSessions = {}): Promise<number> {
  return (await sql.all(endAll, [userId, since ?? null, except ?? null])).length
}
