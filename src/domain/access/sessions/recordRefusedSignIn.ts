import { type Context, transaction } from '../../context.ts'
import { recordAudit } from '../../recordAudit.ts'
import { statement } from '../../sql.ts'

/** Limit of audit entries for one person in an hour. */
const entriesPerHour = 20

const countRecent = statement<{ all: number; fromThere: boolean }>(
  'refused_sign_ins_heard',
  `select count(*)::integer as all, coalesce(bool_or(address is not distinct from $2), false) as from_there from (
     select address from audit_entries
       where subject_id = $1 and action = 'user.sign_in_refused' and at > present() - interval '1 hour' limit ${entriesPerHour}
   ) recent`,
)

/**
 * Records a wrong password for an existing account in the audit log: once an hour for each network address, and at most
 * {@link entriesPerHour} times for one person, so that guessing cannot fill the log.
 */
export async function recordRefusedSignIn(context: Context, userId: string): Promise<void> {
  const recent = await context.sql.one(countRecent, [userId, context.origin?.address ?? null])
  if (!recent || recent.fromThere || recent.all >= entriesPerHour) return
  await transaction(context, (inside) => recordAudit(inside, { action: 'user.sign_in_refused', subjectId: userId }))
}
