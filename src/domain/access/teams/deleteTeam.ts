import { isId } from '../../../contract/ids.ts'
import { invalidRequest } from '../../../contract/refusals/refusals.ts'
import { type Context, transaction } from '../../context.ts'
import { recordAudit } from '../../recordAudit.ts'
import { statement } from '../../sql.ts'
import { unknownId } from '../../unknownId.ts'
import { revokeAllKeys } from '../keys/revokeAllKeys.ts'
import { requireTeamRole } from './rolesOf.ts'

const lock = statement<{ name: string; isDeleted: boolean }>(
  'lock_team_to_delete',
  'select name, deleted_at is not null as is_deleted from teams where id = $1 for no key update',
)
const close = statement<never>(
  'close_team',
  `update teams set name = 'Deleted team', blocked = true, external_access = false, deleted_at = present() where id = $1`,
)
const endWebhooks = statement<never>(
  'end_webhooks_of_team',
  // The end of a generation locks subscriptions in the same order, and callbacks after them.
  `with locked as materialized (select id from webhook_subscriptions where team_id = $1 order by id for no key update)
   update webhook_subscriptions s set address = '', secret = null, older_secret = null, older_secret_until = null,
       deleted_at = coalesce(s.deleted_at, present())
     from locked where s.id = locked.id`,
)
const deleteAlerts = statement<never>(
  'delete_alerts_of_team',
  'delete from alerts where subscription_id = any(array(select id from webhook_subscriptions where team_id = $1))',
)
const deleteTeamAlerts = statement<never>('delete_team_alerts', 'delete from team_alerts where team_id = $1')
const deleteRefusals = statement<never>(
  'delete_key_refusals_of_team',
  'delete from key_refusals where key_id = any(array(select id from api_keys where team_id = $1))',
)
const deleteCallbacks = statement<never>(
  'delete_waiting_callbacks_of_team',
  'delete from callbacks where team_id = $1 and delivery_id is null',
)
const leave = statement<never>('leave_team', 'delete from memberships where team_id = $1')
const withdrawInvitations = statement<never>('invitations_of_team', 'delete from auth.invitations where team_id = $1')
const deleteGroups = statement<never>('groups_of_deleted_team', 'delete from team_groups where team_id = $1')
const deleteTeamFamilies = statement<never>('forget_team_families', 'delete from team_families where team_id = $1')

/**
 * Deletes a team permanently. At once: its keys and links stop, its memberships and webhooks end, and its name, alerts and counts of
 * refusals are erased. Later, the prune job cancels its open work and deletes its history, files and delivery log. Its account and ledger
 * stay, under the team's identifier.
 * `name` must equal the team's name exactly, as a confirmation. Returns false when the team was deleted before.
 * Refusals: invalid_request at `teamId` or `name`; access_denied for a person who is not an owner.
 * Locks: the team, its keys, its subscriptions in the order of their identifiers, its callbacks.
 * Contract: docs/contract.md#deletion-of-a-team.
 */
export async function deleteTeam(context: Context, { teamId, name }: { teamId: string; name: string }): Promise<boolean> {
  return await transaction(context, async (inside) => {
    const team = isId('team', teamId) ? await inside.sql.one(lock, [teamId]) : undefined
    if (!team) throw unknownId('teamId', 'team')
    if (team.isDeleted) return false
    await requireTeamRole(inside, 'team.delete', { teamId, message: 'Only an owner may delete the team.' })
    if (team.name !== name)
      throw invalidRequest({ in: 'body', path: ['name'], code: 'not_allowed', message: 'Takes the exact name of the team.' })
    await revokeAllKeys(inside, { teamId })
    for (const each of [
      close,
      endWebhooks,
      deleteAlerts,
      deleteTeamAlerts,
      deleteRefusals,
      deleteCallbacks,
      leave,
      withdrawInvitations,
      deleteGroups,
      deleteTeamFamilies,
    ])
      await inside.sql.all(each, [teamId])
    await recordAudit(inside, { action: 'team.deleted', teamId, subjectId: teamId })
    return true
  })
}
