import { invalidRequest, Refusal } from '../../../contract/refusals/refusals.ts'
import { type Context, transaction } from '../../context.ts'
import { recordAudit } from '../../recordAudit.ts'
import { statement } from '../../sql.ts'
import type { PersonActor } from '../actor.ts'
import { hashNewPassword, requireUser } from '../people/users.ts'
import { endSessionsOf } from './sessions.ts'
import { signIn } from './signIn.ts'

const change = statement<{ id: string }>(
  'change_password',
  'update users set password_hash = $3 where id = $1 and password_hash = $2 and deleted_at is null returning id',
)

/**
 * Changes the password of the signed-in person and ends their other sessions. Wrong guesses of the old password count like those at the
 * sign-in. Returns how many sessions ended.
 * Refusals: invalid_request at `oldPassword` for a wrong one, also when the person has none, or at `newPassword`; rate_limited and
 * too_many_concurrent as {@link signIn}. Locks: the person. Contract: docs/contract.md#own-account.
 */
export async function changePassword(
  context: Context & { actor: PersonActor },
  { oldPassword, newPassword }: { oldPassword: string; newPassword: string },
): Promise<number> {
  const { userId, sessionId } = context.actor
  const { email } = await requireUser(context, userId, 'userId')
  const { passwordHash } = await verifyOld(context, { email, password: oldPassword })
  const newHash = await hashNewPassword(context, newPassword, 'newPassword')
  return await transaction(context, async (inside) => {
    if (!(await inside.sql.one(change, [userId, passwordHash, newHash]))) throw wrong()
    const sessionsEnded = await endSessionsOf(inside, userId, { except: sessionId })
    await recordAudit(inside, { action: 'user.password_changed', subjectId: userId, after: { sessionsEnded } })
    return sessionsEnded
  })
}

async function verifyOld(context: Context, { email, password }: { email: string; password: string }) {
  try {
    return await signIn(context, { email, password, address: context.origin?.address ?? '' })
  } catch (error) {
    // 401 would mean that the session has ended.
    throw error instanceof Refusal && error.code === 'unauthorized' ? wrong() : error
  }
}

function wrong(): Refusal {
  return invalidRequest({ in: 'body', path: ['oldPassword'], code: 'not_allowed', message: 'The old password is wrong.' })
}
