import type { Context } from './context.ts'
import { statement } from './sql.ts'

/** Every job that we queue, with its payload. Payloads hold identifiers only. */
export type Tasks = {
  submitGeneration: { generationId: string }
  pollGeneration: { generationId: string }
  finaliseGeneration: { generationId: string }
  cancelAtProvider: { generationId: string }
  inspectFile: { fileId: string }
}

const addJob = statement<{ id: string }>(
  'add_job',
  `select id from graphile_worker.add_job($1, $2::json, run_at => now() + $3 * interval '1 second', max_attempts => 30000, job_key => $4)`,
)

/**
 * Queues a job in the transaction of the context: it exists exactly when the rest of that transaction does.
 * A job with the same `key` that waits is replaced. `delaySeconds` is counted from the database's now.
 */
export async function enqueue<Name extends keyof Tasks>(
  context: Context,
  task: Name,
  payload: Tasks[Name],
  options: { key?: string; delaySeconds?: number } = {},
): Promise<void> {
  await context.sql.one(addJob, [task, JSON.stringify(payload), options.delaySeconds ?? 0, options.key ?? null])
}
