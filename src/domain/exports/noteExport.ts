import { type Context, transaction } from '../context.ts'
import { noteAct } from '../noteAct.ts'

/** Writes into the team's audit log that its export begins: before anything is read, so that none is without an entry, however it ends. */
export async function noteExport(context: Context, teamId: string): Promise<void> {
  await transaction(context, (inside) => noteAct(inside, { action: 'team.exported', teamId, subjectId: teamId }))
}
