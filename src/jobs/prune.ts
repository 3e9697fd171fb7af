import { limits } from '../domain/limits.ts'
import { statement } from '../domain/sql.ts'
import { type JobServices, jobContext } from './jobContext.ts'

const oldIdempotency = statement<never>('prune_idempotency', 'delete from idempotency_records where created_at < $1')
const idleCounts = statement<never>('prune_counts', `delete from request_counts where window_start < $1 and in_progress = '{}'`)

/** Every few minutes: forgets what has run out. */
export async function prune(jobs: JobServices): Promise<void> {
  const { sql, clock } = jobContext(jobs)
  const now = clock.now().getTime()
  await sql.all(oldIdempotency, [new Date(now - limits.idempotencyHours * 3_600_000)])
  await sql.all(idleCounts, [Math.floor(now / 60_000) - 10])
}
