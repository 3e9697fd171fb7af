import { limits } from '../contract/limits.ts'
import { expireFiles } from '../domain/files/expireFiles.ts'
import { statement } from '../domain/sql.ts'
import { pruneDeliveries } from '../domain/webhooks/pruneDeliveries.ts'
import { resealSecrets } from '../domain/webhooks/resealSecrets.ts'
import { type JobServices, jobContext } from './jobContext.ts'

const oldIdempotency = statement<never>('prune_idempotency', 'delete from idempotency_records where created_at < $1')
const idleCounts = statement<never>(
  'prune_counts',
  `delete from request_counts where subject in (
    select subject from request_counts where window_start < $1 and in_progress = '{}' order by subject for update skip locked)`,
)

/** Every few minutes: forgets what has run out. */
export async function prune(jobs: JobServices): Promise<void> {
  const context = jobContext(jobs)
  const { sql, clock } = context
  const now = clock.now().getTime()
  await sql.all(oldIdempotency, [new Date(now - limits.idempotencyHours * 3_600_000)])
  await sql.all(idleCounts, [Math.floor(now / 60_000) - 10])
  await pruneDeliveries(context)
  await expireFiles(context)
  const unopened = await resealSecrets(context)
  if (unopened > 0) context.log.error({ unopened }, 'SECRET_KEY does not open every signing secret')
}
