import { newId } from '../../../contract/ids.ts'
import { limits } from '../../../contract/limits.ts'
import { type Context, transaction } from '../../context.ts'
import { recordAudit } from '../../recordAudit.ts'
import { statement } from '../../sql.ts'
import { applyTeamGroups, lockTeamsToChange } from '../teams/applyTeamGroups.ts'
import { sessionDigest } from './sessions.ts'

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

/** `passwordHash`: the hash that the password was verified against; absent for OIDC. */
export type NewSession = {
  userId: string
  token: string
  passwordHash?: string | undefined
  /** The groups of the ID token; absent when they are unknown. */
  groups?: readonly string[] | undefined
}

/**
 * Opens a session for a fresh token. `undefined` when the password has changed since it was verified, or the person was deleted.
 * Above the limit of sessions the person's oldest session ends. The memberships that the groups give change in the same transaction.
 * Locks: teams whose membership changes, the person. Contract: docs/contract.md#sessions, docs/contract.md#roles-from-groups.
 */
export async function openSession(context: Context, session: NewSession): Promise<Session | undefined> {
  const { userId, token, passwordHash = null, groups } = session
  const { userAgent = null, address = null } = context.origin ?? {}
  const kept = [limits.sessionIdleDays, limits.sessionsPerUser - 1]
  const values = [newId('ses'), userId, sessionDigest(token), ...kept, passwordHash, userAgent, address]
  return await transaction({ ...context, actor: { kind: 'person', userId } }, async (inside) => {
    const teamIds = groups ? await lockTeamsToChange(inside, { userId, groups }) : []
    const opened = await inside.sql.one(open, values)
    if (!opened) return undefined
    await recordAudit(inside, { action: 'user.signed_in', subjectId: userId, after: { password: passwordHash !== null } })
    if (groups && teamIds.length > 0) await applyTeamGroups(inside, { userId, groups, teamIds, session: opened })
    return opened
  })
}
