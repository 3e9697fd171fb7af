import { makeConcurrencyLimiter } from '../../../concurrency/concurrencyLimiter.ts'
import { isId } from '../../../contract/ids.ts'
import { invalidRequest, Refusal } from '../../../contract/refusals/refusals.ts'
import { Membership } from '../../../entities/Membership.ts'
import { type Context, transaction } from '../../context.ts'
import { parseName } from '../../parseText.ts'
import { statement } from '../../sql.ts'
import { emailConflict, findUserIdByEmail, hashNewPassword, insertUser } from '../people/users.ts'
import type { VerifiedSignIn } from '../sessions/signIn.ts'
import { authorizeMemberChange } from '../teams/authorizeMemberChange.ts'
import { putMembership } from '../teams/membershipChanges.ts'
import { endedInvitation, type Invitation, requireInvitation } from './invitations.ts'

const consume = statement<{ id: string }>(
  'consume_invitation',
  'delete from auth.invitations where id = $1 and digest = $2 and expires_at > present() returning id',
)
const isAddressOf = statement<{ id: string }>(
  'is_address_of',
  'select id from users where id = $1 and lower(email) = lower($2) and deleted_at is null for share',
)
const verifyAddress = statement<never>('verify_address', 'update users set email_verified = true where id = $1 and not email_verified')
const tokenPermits = statement<{ id: string }>(
  'token_permits_team',
  'select id from service_tokens where id = $1 and revoked_at is null and not read_only and (team_ids is null or $2 = any(team_ids))',
)

/**
 * Accepts an invitation as a signed-in person with the invited address. A present member keeps their role. The link works once: the
 * invitation is removed in the same transaction. Refusals: not_found as {@link requireInvitation}; access_denied for a person with another
 * address, and when the inviter may no longer give the role. Locks: the team, the person (for share). Contract: docs/contract.md#invitations.
 */
export async function acceptInvitation(
  context: Context,
  { token, userId }: { token: string; userId: string },
): Promise<{ teamId: string }> {
  const invitation = await requireInvitation(context, token)
  const accepting: Context = { ...context, actor: { kind: 'person', userId } }
  return await transaction(accepting, async (inside) => {
    if (!(await inside.sql.one(isAddressOf, [userId, invitation.email]))) throw otherAddress(invitation)
    await authorizeInviter(inside, invitation)
    await join(inside, invitation, userId)
    if (invitation.mailed) await inside.sql.all(verifyAddress, [userId])
    return { teamId: invitation.teamId }
  })
}

/** A check of a password takes 32 MiB for 0.2 seconds, and so does a new one. */
const hashing = makeConcurrencyLimiter({ atOnce: 1, waitingMax: 20 })

type NewcomerAcceptance = { token: string; name: string; password: string }

/**
 * Accepts an invitation with a new account for the invited address. The address counts as verified only if the link was sent by mail.
 * Refusals: not_found as {@link requireInvitation}; invalid_request at `name` or `password`, and a conflict at `email` for an address that
 * has an account; access_denied when the inviter may no longer give the role; too_many_concurrent. Locks: the team.
 * Contract: docs/contract.md#invitations.
 */
export async function acceptAsNewcomer(
  context: Context,
  { token, name: typed, password }: NewcomerAcceptance,
): Promise<VerifiedSignIn & { teamId: string }> {
  const invitation = await requireInvitation(context, token)
  const { email, teamId, mailed } = invitation
  const name = parseName(typed)
  const passwordHash = await hashing.run(() => hashNewPassword(context, password))
  if (passwordHash === undefined) throw new Refusal('too_many_concurrent', { limit: 1, retryAfterSeconds: 2 })
  try {
    return await transaction(context, async (inside) => {
      await authorizeInviter(inside, invitation)
      // After every other check: otherwise a refusal tells whether the address has an account, and makes none.
      if ((await findUserIdByEmail(inside, email)) !== undefined) throw hasAccount()
      const person = { email, name, passwordHash, subscriptionActive: false, emailVerified: mailed }
      const { id: userId } = await insertUser(inside, person)
      await join({ ...inside, actor: { kind: 'person', userId } }, invitation, userId)
      return { userId, passwordHash, teamId }
    })
  } catch (error) {
    throw emailConflict(error) === error ? error : hasAccount()
  }
}

/** Runs under the lock of {@link authorizeInviter}. */
async function join(inside: Context, invitation: Invitation & { digest: Buffer }, userId: string): Promise<void> {
  const { id, teamId, role, digest, invitedBy } = invitation
  if (!(await inside.sql.one(consume, [id, digest]))) throw endedInvitation()
  if (await inside.em().findOne(Membership, { teamId, userId })) return
  await putMembership(inside, { teamId, userId, role, auditDetails: { invitationId: id, invitedBy } })
}

/** Checks under the lock of the team that the inviter may still give the role. */
async function authorizeInviter(inside: Context, { teamId, role, invitedBy }: Invitation): Promise<void> {
  if (invitedBy !== null && isId('tok', invitedBy) && !(await inside.sql.one(tokenPermits, [invitedBy, teamId]))) throw inviterDenied()
  const inviter: Context['actor'] =
    invitedBy !== null && isId('user', invitedBy) ? { kind: 'person', userId: invitedBy } : { kind: 'service' }
  try {
    await authorizeMemberChange({ ...inside, actor: inviter }, { teamId, userId: '', to: role })
  } catch (error) {
    throw error instanceof Refusal && error.code === 'access_denied' ? inviterDenied() : error
  }
}

function inviterDenied(): Refusal {
  const message = 'The person who invited you may no longer give this role. Ask an owner or administrator of the team for a new invitation.'
  return new Refusal('access_denied', { cause: 'role' }, { message })
}

function otherAddress({ email }: Invitation): Refusal {
  const message = `This invitation is for ${email}. Sign in with an account of that address to accept it.`
  return new Refusal('access_denied', { cause: 'role' }, { message })
}

function hasAccount(): Refusal {
  const message = 'This e-mail address has an account. Sign in to accept the invitation.'
  return invalidRequest({ in: 'body', path: ['email'], code: 'conflict', message })
}
