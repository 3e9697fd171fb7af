import type { Context } from '../../context.ts'
import { recordAudit } from '../../recordAudit.ts'
import { statement } from '../../sql.ts'
import { revokeAllKeys } from '../keys/revokeAllKeys.ts'
import { endSessionsOf } from '../sessions/sessions.ts'

const claim = statement<{ id: string }>(
  'claim_account',
  'update users set email_verified = true, password_hash = null where id = $1 and not email_verified returning id',
)

/**
 * Gives an account whose address nobody had verified to the person who has proved it at a provider: removes the password, ends the
 * sessions and revokes the keys of the person who made the account with a shown link. Does nothing for a verified address. Runs in the
 * transaction of the context. Locks: the person, their keys. Contract: docs/contract.md#invitations.
 */
export async function claimAccount(inside: Context, userId: string): Promise<void> {
  if (!(await inside.sql.one(claim, [userId]))) return
  await revokeAllKeys(inside, { userId })
  const sessionsEnded = await endSessionsOf(inside, userId)
  await recordAudit(inside, { action: 'user.password_changed', subjectId: userId, after: { emailVerified: true, sessionsEnded } })
}
