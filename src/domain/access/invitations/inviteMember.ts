import { newId } from '../../../contract/ids.ts'
import { limits } from '../../../contract/limits.ts'
import { Refusal } from '../../../contract/refusals/refusals.ts'
import type { Role } from '../../../entities/Membership.ts'
import { makeInvitationSecret } from '../../../secrets/apiKeyText.ts'
import { type Context, transaction } from '../../context.ts'
import { invariant } from '../../invariant.ts'
import { recordAudit } from '../../recordAudit.ts'
import { statement } from '../../sql.ts'
import { parseEmail } from '../people/users.ts'
import { authorizeMemberChange } from '../teams/authorizeMemberChange.ts'
import { requireTeam } from '../teams/teams.ts'
import { invitationMail } from './invitationMail.ts'
import { type Invitation, invitationColumns } from './invitations.ts'

export type NewInvitation = { teamId: string; email: string; role: Role }

/** `url`: the one-time link; null when it was sent by mail. */
export type SentInvitation = { invitation: Invitation; url: string | null; expiresAt: Date }

const replace = statement<Invitation>(
  'replace_invitation',
  `with former as (delete from auth.invitations where team_id = $2 and lower(email) = lower($3) returning 1)
   insert into auth.invitations (id, team_id, email, role, digest, mailed, invited_by, created_at, expires_at)
     select $1, $2, $3, $4, $5, $6, $7, present(), present() + $8 * interval '1 day' from (select count(*) from former) gone
     returning ${invitationColumns}`,
)

/**
 * Invites the person with an e-mail address to a team, by a link that works once. The link is sent by mail where the deployment has a mail
 * server; otherwise it is returned, and only its digest is stored. Does not look up whether the address has an account. A new invitation
 * replaces an open one for the same address; one that could not be sent replaces none.
 * Refusals: invalid_request at `teamId` or `email`; access_denied as {@link authorizeMemberChange}; rate_limited; service_unavailable when
 * the mail cannot be sent. Locks: the team. Contract: docs/contract.md#invitations.
 */
export async function inviteMember(context: Context, { teamId, email: typed, role }: NewInvitation): Promise<SentInvitation> {
  const team = await requireTeam(context, teamId, 'teamId')
  const email = parseEmail(typed)
  const { mailer } = context
  const { value, hash } = makeInvitationSecret()
  const id = newId('inv')
  const url = `${context.settings.publicUrl}/integrations/invitation#${value}`
  const values = (inside: Context) => [id, teamId, email, role, hash, mailer !== undefined, inviterOf(inside), limits.invitationDays]
  const invitation = await transaction(context, async (inside) => {
    await authorizeMemberChange(inside, { teamId, userId: '', to: role })
    await limitInvitations(inside, teamId)
    await recordAudit(inside, { action: 'member.invited', teamId, subjectId: id, after: { role } })
    return mailer ? undefined : await replaceOpen(inside, values(inside))
  })
  if (invitation) return { invitation, url, expiresAt: invitation.expiresAt }
  await sendLink(context, { to: email, ...invitationMail({ teamName: team.name, url }) })
  const sent = await transaction(context, async (inside) => {
    await authorizeMemberChange(inside, { teamId, userId: '', to: role })
    return await replaceOpen(inside, values(inside))
  })
  return { invitation: sent, url: null, expiresAt: sent.expiresAt }
}

async function replaceOpen({ sql }: Context, values: unknown[]): Promise<Invitation> {
  const stored = await sql.one(replace, values)
  invariant(stored, 'the invitation was inserted')
  return stored
}

async function sendLink({ mailer, log }: Context, mail: { to: string; subject: string; text: string }): Promise<void> {
  try {
    await mailer?.send(mail)
  } catch (error) {
    // Without the text of the error, which may contain the address.
    const { code, responseCode } = error as { code?: unknown; responseCode?: unknown }
    log.warn({ code, responseCode }, 'the mail of an invitation was not sent')
    throw new Refusal('service_unavailable', undefined, { message: 'The mail server did not take the invitation. Try again later.' })
  }
}

function inviterOf({ actor }: Context): string | null {
  if (actor.kind === 'person') return actor.userId
  return actor.kind === 'service' ? (actor.token?.id ?? null) : null
}

const waitFor = statement<{ waitSeconds: number }>(
  'wait_for_invitation',
  `select ceil(extract(epoch from at + interval '1 day' - present()))::integer as wait_seconds
     from audit_entries where team_id = $1 and action = 'member.invited' and actor_kind = 'person'
     order by at desc, id desc offset ${limits.invitationsPerDay - 1} limit 1`,
)

/** So that nobody sends mail to strangers in bulk. Runs under the lock of the team. */
async function limitInvitations({ actor, sql }: Context, teamId: string): Promise<void> {
  if (actor.kind !== 'person') return
  const retryAfterSeconds = (await sql.one(waitFor, [teamId]))?.waitSeconds ?? 0
  if (retryAfterSeconds <= 0) return
  const message = `This team has sent ${limits.invitationsPerDay} invitations within a day, which is its limit. Try again tomorrow.`
  throw new Refusal('rate_limited', { limit: limits.invitationsPerDay, retryAfterSeconds }, { message })
}
