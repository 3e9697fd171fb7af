import { Refusal } from '../../../contract/refusals/refusals.ts'
import type { Role } from '../../../entities/Membership.ts'
import { readInvitationSecret } from '../../../secrets/apiKeyText.ts'
import { type Context, transaction } from '../../context.ts'
import type { ListWindow } from '../../listWindow.ts'
import { recordAudit } from '../../recordAudit.ts'
import { statement } from '../../sql.ts'
import { authorizeMemberChange } from '../teams/authorizeMemberChange.ts'

/** An open invitation. `invitedBy`: a person or a named service token; null for SERVICE_TOKEN. */
export type Invitation = {
  id: string
  teamId: string
  email: string
  role: Role
  mailed: boolean
  invitedBy: string | null
  createdAt: Date
  expiresAt: Date
}

export const invitationColumns = 'id, team_id, email, role, mailed, invited_by, created_at, expires_at'

const byDigest = statement<Invitation>(
  'invitation_by_digest',
  `select ${invitationColumns} from auth.invitations where digest = $1 and expires_at > present()`,
)

/** Reads the open invitation of a link. Refusals: not_found, the same for an unknown, used, revoked, replaced or expired one. */
export async function requireInvitation({ sql }: Pick<Context, 'sql'>, secret: string): Promise<Invitation & { digest: Buffer }> {
  const digest = readInvitationSecret(secret)
  const found = digest && (await sql.one(byDigest, [digest]))
  if (!digest || !found) throw endedInvitation()
  return { ...found, digest }
}

/** What the page of an invitation shows. `invitedBy`: the name of the person; null for an internal tool. */
type ShownInvitation = Pick<Invitation, 'teamId' | 'email' | 'role' | 'expiresAt'> & { teamName: string; invitedBy: string | null }

const names = statement<{ teamName: string; invitedBy: string | null }>(
  'names_of_invitation',
  `select t.name as team_name, (select u.name from users u where u.id = $2 and u.deleted_at is null) as invited_by
     from teams t where t.id = $1 and t.deleted_at is null`,
)

/** Reads an open invitation for the holder of its link. Refusals: not_found as {@link requireInvitation}. */
export async function readInvitation({ sql }: Pick<Context, 'sql'>, secret: string): Promise<ShownInvitation> {
  const { teamId, email, role, expiresAt, invitedBy } = await requireInvitation({ sql }, secret)
  const named = await sql.one(names, [teamId, invitedBy])
  if (!named) throw endedInvitation()
  return { teamId, email, role, expiresAt, ...named }
}

export function endedInvitation(): Refusal {
  return new Refusal('not_found', undefined, {
    message: 'This invitation was used or withdrawn, or has expired. Ask the person who invited you for a new one.',
  })
}

const open = statement<{ id: string }>(
  'address_is_invited',
  'select id from auth.invitations where lower(email) = lower($1) and expires_at > present() limit 1',
)

/** Whether the address has an open invitation to some team. */
export async function isInvited({ sql }: Pick<Context, 'sql'>, email: string): Promise<boolean> {
  return (await sql.one(open, [email])) !== undefined
}

const list = (name: string, order: 'asc' | 'desc') =>
  statement<Invitation>(
    name,
    `select ${invitationColumns} from auth.invitations
       where team_id = $1 and expires_at > present() and ($2::text is null or id < $2) and ($3::text is null or id > $3)
       order by id ${order} limit $4`,
  )
const newestFirst = list('list_invitations', 'desc')
const oldestFirst = list('list_invitations_backwards', 'asc')

/** Lists the open invitations of a team, newest first, with `id` as the cursor. */
export async function listInvitations(
  { sql }: Pick<Context, 'sql'>,
  teamId: string,
  { after, before, limit, fromTheEnd }: ListWindow,
): Promise<Invitation[]> {
  return await sql.all(fromTheEnd ? oldestFirst : newestFirst, [teamId, after ?? null, before ?? null, limit])
}

const remove = statement<{ id: string }>('revoke_invitation', 'delete from auth.invitations where id = $1 and team_id = $2 returning id')

/**
 * Revokes an invitation: its link stops. False when it is not open. Refusals: access_denied as {@link authorizeMemberChange}.
 * Locks: the team.
 */
export async function revokeInvitation(context: Context, { teamId, id }: { teamId: string; id: string }): Promise<boolean> {
  return await transaction(context, async (inside) => {
    await authorizeMemberChange(inside, { teamId, userId: '', to: 'member' })
    const revoked = await inside.sql.one(remove, [id, teamId])
    if (revoked) await recordAudit(inside, { action: 'invitation.revoked', teamId, subjectId: id })
    return revoked !== undefined
  })
}
