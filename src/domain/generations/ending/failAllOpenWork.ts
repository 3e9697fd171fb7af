import type { Failure } from '../../../contract/failures/failures.ts'
import type { Context } from '../../context.ts'
import { statement } from '../../sql.ts'
import { endGeneration } from './endGeneration.ts'

const pageSize = 500
const failure: Failure = { code: 'internal_error', reason: 'unclassified' }

const open = statement<{ id: string }>(
  'open_generations',
  `select id from generations where finished_at is null and id > $1 order by id limit ${pageSize}`,
)

/**
 * Fails all open work and releases its holds, without cancels at providers: for a copy of a deployment, since the original still runs the
 * work. Returns the number.
 */
export async function failAllOpenWork(context: Context): Promise<number> {
  let ended = 0
  for (let after = ''; ; ) {
    const page = await context.sql.all(open, [after])
    for (const { id } of page) if (await endGeneration(context, id, { by: 'reconciler', to: 'failed', failure })) ended += 1
    if (page.length < pageSize) return ended
    after = page.at(-1)?.id ?? after
  }
}
