import { Membership, type Role } from '../../../entities/Membership.ts'
import type { Context } from '../../context.ts'
import { type AuditFields, changesBetween, recordAudit } from '../../recordAudit.ts'
import { statement } from '../../sql.ts'
import { endSessionsOf } from '../sessions/sessions.ts'

type PutMembership = {
  teamId: string
  userId: string
  role: Role
  /** The group that gives the role; absent for a membership made by hand. */
  group?: string
  /** When a new membership begins. The default is now. */
  since?: Date
  /** Further fields of the audit entry of a new member. */
  auditDetails?: AuditFields
}

/** Adds a member, or changes the role and `fromGroups` of a member, and records the audit entry. Call it under the lock of the team. */
export async function putMembership(inside: Context, put: PutMembership): Promise<Membership> {
  const { teamId, userId, role, group, since = inside.clock.now(), auditDetails } = put
  const fromGroups = group !== undefined
  const before = await inside.em().findOne(Membership, { teamId, userId }, { refresh: true })
  const changed = before && changesBetween({ role: before.role, fromGroups: before.fromGroups }, { role, fromGroups })
  if (!before) await recordAudit(inside, { action: 'member.added', teamId, subjectId: userId, after: { role, group, ...auditDetails } })
  else if (changed) {
    const after = { ...changed.after, group }
    await recordAudit(inside, { action: 'member.role_changed', teamId, subjectId: userId, before: changed.before, after })
  }
  const member = { teamId, userId, role, fromGroups, createdAt: since }
  return await inside.em().upsert(Membership, member, { onConflictAction: 'merge', onConflictMergeFields: ['role', 'fromGroups'] })
}

const stillInTeams = statement<{ teamId: string }>('still_in_teams', 'select team_id from memberships where user_id = $1 limit 1')

type EndMembership = {
  /** Whether an internal tool that may act on every team removes the person. */
  byTool: boolean
  /** The identifier of a session that is kept. */
  except?: string
}

/**
 * Removes a member and records the audit entry. Keys that they issued for the team stop at once, because roles are read with each request.
 * An internal tool ends all sessions of the person. Otherwise only sessions that began during the membership end, and no session of a person
 * who is in another team, so that a manager cannot sign out a stranger by adding and removing them. Call it under the lock of the team.
 */
export async function endMembership(inside: Context, ended: Membership, { byTool, except }: EndMembership): Promise<void> {
  const { teamId, userId, role, fromGroups, createdAt } = ended
  await inside.em().nativeDelete(Membership, { teamId, userId })
  const keeps = !byTool && (await inside.sql.one(stillInTeams, [userId])) !== undefined
  const sessionsEnded = keeps ? 0 : await endSessionsOf(inside, userId, byTool ? { except } : { since: createdAt, except })
  const before = fromGroups ? { role, fromGroups } : { role }
  await recordAudit(inside, { action: 'member.removed', teamId, subjectId: userId, before, after: { sessionsEnded } })
}
