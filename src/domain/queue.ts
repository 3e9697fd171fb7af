import type { WorkQueue } from '../contract/workQueues.ts'
import type { Context } from './context.ts'
import { statement } from './sql.ts'

/** Every job that we queue, with its payload. Payloads hold identifiers only. */
export type Tasks = {
  submitGeneration: StepPayload
  pollGeneration: StepPayload
  finaliseGeneration: StepPayload
  cancelAtProvider: { generationId: string; tries?: number }
  removeOrphans: { generationId: string }
  removeObject: { storageKey: string; tries?: number }
  inspectFile: { fileId: string }
  handSlotsOn: { providerId: string }
  deliverWebhooks: { subscriptionId: string }
  deliverToTroubled: { subscriptionId: string }
}

/**
 * `unknownSince`: when a process first gave it back because its catalog does not have the family. `refused`: why the provider had no room
 * for it when it was asked last.
 */
export type StepPayload = { generationId: string; unknownSince?: string; refused?: 'model_at_capacity' | 'model_offline' }

/**
 * Which processes do it. Handing slots on belongs to the generations that wait for them: whoever works on those must not depend on
 * another kind of process to hear that it is their turn.
 */
export const queueOfTask: Record<keyof Tasks, WorkQueue> = {
  submitGeneration: 'generations',
  pollGeneration: 'generations',
  finaliseGeneration: 'generations',
  cancelAtProvider: 'generations',
  handSlotsOn: 'generations',
  inspectFile: 'files',
  removeObject: 'files',
  removeOrphans: 'files',
  deliverWebhooks: 'deliveries',
  deliverToTroubled: 'deliveries',
}

const addJob = statement<{ id: string }>(
  'add_job',
  `select id from graphile_worker.add_job($1, $2::json, run_at => now() + $3 * interval '1 second', max_attempts => 30000, job_key => $4, flags => $5)`,
)

/**
 * Queues a job in the transaction of the context: it exists exactly when the rest of that transaction does.
 * A job with the same `key` that waits is replaced. `delaySeconds` is counted from the database's now; `flags` are what a runner may pass
 * jobs over by.
 */
export async function enqueue<Name extends keyof Tasks>(
  context: Context,
  task: Name,
  payload: Tasks[Name],
  { key, delaySeconds = 0, flags }: { key?: string; delaySeconds?: number; flags?: string[] } = {},
): Promise<void> {
  await context.sql.one(addJob, [task, JSON.stringify(payload), delaySeconds, key ?? null, flags ?? null])
}
