import { createHash } from 'node:crypto'
import { isId } from '../../../contract/ids.ts'
import { invalidRequest } from '../../../contract/refusals/refusals.ts'
import { type Context, transaction } from '../../context.ts'
import { recordAudit } from '../../recordAudit.ts'
import { statement } from '../../sql.ts'
import { unknownId } from '../../unknownId.ts'
import { revokeAllKeys } from '../keys/revokeAllKeys.ts'
import { endSessionsOf } from '../sessions/sessions.ts'

const lockTeams = statement<{ id: string }>(
  'lock_teams_of_owner',
  `select id from teams where id in (select team_id from memberships where user_id = $1 and role = 'owner') order by id for no key update`,
)
const lock = statement<{ email: string; isDeleted: boolean }>(
  'lock_user_to_delete',
  'select email, deleted_at is not null as is_deleted from users where id = $1 for no key update',
)
const teamsWithoutOtherOwner = statement<{ teamId: string }>(
  'last_owner_of',
  `select m.team_id from memberships m where m.user_id = $1 and m.role = 'owner' and not exists (
       select from memberships o where o.team_id = m.team_id and o.role = 'owner' and o.user_id <> $1
     ) order by m.team_id limit 5`,
)
const close = statement<never>(
  'close_user',
  `update users set email = id || '@deleted.invalid', name = 'Deleted person', password_hash = null, subscription_active = false,
       time_zone = null, deleted_at = present()
     where id = $1`,
)
const ownedElsewhere = statement<{ teamId: string }>(
  'owned_elsewhere',
  `select team_id from memberships where user_id = $1 and role = 'owner' and team_id <> all ($2) limit 1`,
)
const leave = statement<never>('leave_teams', 'delete from memberships where user_id = $1')
const unlink = statement<never>('unlink_identities', 'delete from auth.identities where user_id = $1')
const withdrawInvitations = statement<never>('invitations_to', 'delete from auth.invitations where lower(email) = lower($1)')
const deleteSignInCounts = statement<never>(
  'forget_sign_in_tries',
  `delete from auth.sign_in_counts where subject = 'account:' || $1 or starts_with(subject, 'pair:' || $1 || ':')`,
)

/**
 * Deletes a person permanently. At once: erases e-mail address, name, password, time zone, sessions, external identities and memberships,
 * revokes the keys that they issued and all links to their own results. Generations of teams stay, started by "Deleted person". Later, the prune
 * job deletes their own history and files, and their network addresses in the audit log. Their account and ledger stay, under their
 * identifier. Returns false when they were deleted before.
 * Refusals: invalid_request at `userId`, also for the last owner of a team and for a person who becomes an owner meanwhile.
 * Locks: teams that they own, the person, their keys. Contract: docs/contract.md#deletion-of-a-person.
 */
export async function deleteUser(context: Context, userId: string): Promise<boolean> {
  if (!isId('user', userId)) throw unknownId('userId', 'user')
  return await transaction(context, async (inside) => {
    const locked = await inside.sql.all(lockTeams, [userId])
    const user = await inside.sql.one(lock, [userId])
    if (!user) throw unknownId('userId', 'user')
    if (user.isDeleted) return false
    await requireLocked(inside, { userId, teamIds: locked.map(({ id }) => id) })
    await requireOtherOwners(inside, userId)
    await revokeAllKeys(inside, { userId })
    const sessionsEnded = await endSessionsOf(inside, userId)
    for (const each of [close, leave, unlink]) await inside.sql.all(each, [userId])
    const account = createHash('sha256').update(user.email.toLowerCase()).digest('hex')
    await inside.sql.all(deleteSignInCounts, [account])
    await inside.sql.all(withdrawInvitations, [user.email])
    await recordAudit(inside, { action: 'user.deleted', subjectId: userId, after: { sessionsEnded } })
    return true
  })
}

/** A sign-in or a manager can make the person an owner before the person is locked. The other owner could then leave that team. */
async function requireLocked(inside: Context, { userId, teamIds }: { userId: string; teamIds: string[] }): Promise<void> {
  const owned = await inside.sql.one(ownedElsewhere, [userId, teamIds])
  if (!owned) return
  const message = `The person became an owner of ${owned.teamId} during the deletion. Send the request again.`
  throw invalidRequest({ in: 'body', path: ['userId'], code: 'conflict', message })
}

async function requireOtherOwners(inside: Context, userId: string): Promise<void> {
  const ownedTeams = await inside.sql.all(teamsWithoutOtherOwner, [userId])
  if (ownedTeams.length === 0) return
  const teams = ownedTeams.map(({ teamId }) => teamId).join(', ')
  const message = `They are the last owner of ${teams}. Make another person an owner first, or delete the team.`
  throw invalidRequest({ in: 'body', path: ['userId'], code: 'conflict', message })
}
