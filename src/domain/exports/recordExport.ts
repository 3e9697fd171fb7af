import { type Context, transaction } from '../context.ts'
import { recordAudit } from '../recordAudit.ts'

/** Records the start of a team's export in its audit log. Call it before reading, so that a failed export has an entry too. */
export async function recordExport(context: Context, teamId: string): Promise<void> {
  await transaction(context, (inside) => recordAudit(inside, { action: 'team.exported', teamId, subjectId: teamId }))
}
