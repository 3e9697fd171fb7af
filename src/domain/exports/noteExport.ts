import { type Context, transaction } from '../context.ts'
import { recordAudit } from '../recordAudit.ts'

/** Writes into the team's audit log that its export begins: before anything is read, so that none is without an entry, however it ends. */
export async function noteExport(context: Context, teamId: string): Promise<void> {
  await transaction(context, (inside) => recordAudit(inside, { action: 'team.exported', teamId, subjectId: teamId }))
}
