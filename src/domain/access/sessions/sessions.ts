import { createHash } from 'node:crypto'
import { newId } from '../../../contract/ids.ts'
import { limits } from '../../../contract/limits.ts'
import { type Context, transaction } from '../../context.ts'
import { recordAudit } from '../../recordAudit.ts'
import { statement } from '../../sql.ts'

export type Session = { id: string; userId: string; createdAt: Date; expiresAt: Date }

const columns = 'id, user_id, created_at, expires_at'

const open = statement<Session>(
  'open_session',
  `with person as (
     select id from users where id = $2 and deleted_at is null and ($6::text is null or password_hash = $6) for share
   ), made as (
     insert into auth.sessions (id, user_id, digest, created_at, expires_at, user_agent, address)
       select $1, id, $3, present(), present() + $4 * interval '1 day', $7, $8 from person returning ${columns}
   ), oldest as (
     delete from auth.sessions where id in (
       select id from auth.sessions where user_id = $2 order by created_at desc, id desc offset $5 for update skip locked
     )
   )
   select ${columns} from made`,
)

/** The digest of a session token, which is stored in place of the token. */
export function sessionDigest(token: string): Buffer {
  return createHash('sha256').update(token).digest()
}

/** `passwordHash`: the hash that the password was verified against; absent for OIDC. */
export type NewSession = { userId: string; token: string; passwordHash?: string | undefined }

/**
 * Opens a session for a fresh token. `undefined` when the password has changed since it was verified, or the person was deleted.
 * Above the limit of sessions the person's oldest session ends. Locks: the person. Contract: docs/contract.md#sessions.
 */
export async function openSession(context: Context, session: NewSession): Promise<Session | undefined> {
  const { userId, token, passwordHash = null } = session
  const { userAgent = null, address = null } = context.origin ?? {}
  const kept = [limits.sessionIdleDays, limits.sessionsPerUser - 1]
  const values = [newId('ses'), userId, sessionDigest(token), ...kept, passwordHash, userAgent, address]
  return await transaction({ ...context, actor: { kind: 'person', userId } }, async (inside) => {
    const opened = await inside.sql.one(open, values)
    if (opened) await recordAudit(inside, { action: 'user.signed_in', subjectId: userId, after: { password: passwordHash !== null } })
    return opened
  })
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
