import { type Context, transaction } from '../../context.ts'
import { recordAudit } from '../../recordAudit.ts'
import { statement } from '../../sql.ts'
import { endSessionsOf } from './sessions.ts'

/** A session as its person sees it. `usedAt` is exact to a day. */
export type OwnSession = {
  id: string
  userId: string
  createdAt: Date
  expiresAt: Date
  usedAt: Date
  userAgent: string | null
  address: string | null
}

const list = statement<OwnSession>(
  'list_sessions',
  `select id, user_id, created_at, expires_at, coalesce(used_at, created_at) as used_at, user_agent, address
     from auth.sessions where user_id = $1 and expires_at > present() order by created_at desc, id desc`,
)

/** The sessions of a person that have not ended, newest first; `limits.sessionsPerUser` at most. */
export async function listSessions({ sql }: Pick<Context, 'sql'>, userId: string): Promise<OwnSession[]> {
  return await sql.all(list, [userId])
}

const owner = statement<{ userId: string }>('owner_of_session', 'select user_id from auth.sessions where id = $1')

/** The person of a session; undefined when it has ended. */
export async function sessionOwner({ sql }: Pick<Context, 'sql'>, id: string): Promise<string | undefined> {
  return (await sql.one(owner, [id]))?.userId
}

const person = statement<{ userId: string; email: string }>(
  'person_of_session',
  `select u.id as user_id, u.email from auth.sessions s join users u on u.id = s.user_id
     where s.digest = $1 and s.expires_at > present() and u.deleted_at is null`,
)

/** The person of a presented session cookie; undefined without a valid session. */
export async function personOfSession(
  { sql }: Pick<Context, 'sql'>,
  digest: Buffer,
): Promise<{ userId: string; email: string } | undefined> {
  return await sql.one(person, [digest])
}

const end = statement<{ userId: string }>('end_session_by_id', 'delete from auth.sessions where id = $1 returning user_id')

/** Ends one session; false when it had ended. The caller has checked whose it is. Contract: docs/contract.md#own-account. */
export async function endSessionById(context: Context, id: string): Promise<boolean> {
  return await transaction(context, async (inside) => {
    const ended = await inside.sql.one(end, [id])
    if (!ended) return false
    await recordAudit(inside, { action: 'user.session_ended', subjectId: ended.userId, after: { sessionsEnded: 1 } })
    return true
  })
}

/** Ends all sessions of a person, also the present one. Returns how many. */
export async function endAllSessions(context: Context, userId: string): Promise<number> {
  return await transaction(context, async (inside) => {
    const sessionsEnded = await endSessionsOf(inside, userId)
    if (sessionsEnded > 0) await recordAudit(inside, { action: 'user.session_ended', subjectId: userId, after: { sessionsEnded } })
    return sessionsEnded
  })
}
