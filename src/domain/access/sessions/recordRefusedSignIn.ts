import { type Context, transaction } from '../../context.ts'
import { recordAudit } from '../../recordAudit.ts'
import { statement } from '../../sql.ts'

/** An hour's entries of one person, however many guess. */
const entriesPerHour = 20

const heard = statement<{ all: number; fromThere: boolean }>(
  'refused_sign_ins_heard',
  `select count(*)::integer as all, coalesce(bool_or(address is not distinct from $2), false) as from_there from (
     select address from audit_entries
       where subject_id = $1 and action = 'user.sign_in_refused' and at > present() - interval '1 hour' limit ${entriesPerHour}
   ) lately`,
)

/**
 * Writes down that somebody came with a wrong password for an account that exists: once an hour for each address, and no more than
 * {@link entriesPerHour} for one person, so that whoever guesses cannot fill the log. Tries for accounts that nobody has leave nothing.
 */
export async function recordRefusedSignIn(context: Context, userId: string): Promise<void> {
  const lately = await context.sql.one(heard, [userId, context.origin?.address ?? null])
  if (!lately || lately.fromThere || lately.all >= entriesPerHour) return
  await transaction(context, (inside) => recordAudit(inside, { action: 'user.sign_in_refused', subjectId: userId }))
}
