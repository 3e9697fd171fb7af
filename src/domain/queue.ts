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
  grantVendorSlots: { providerId: string }
  fillStartLine: StartQueueKey
  deliverWebhooks: { subscriptionId: string }
  deliverToTroubled: { subscriptionId: string }
}

/** The work of an owner in a family that no job has taken yet. */
export type StartQueueKey = { familyId: string; ownerId: string }

/**
 * `unknownSince`: when a process first gave it back because its catalog does not have the family. `refused`: why the provider had no room
 * for it when it was asked last. `brokenSince`: since when each download of the output has broken off.
 */
export type StepPayload = {
  generationId: string
  unknownSince?: string
  refused?: 'model_at_capacity' | 'model_offline'
  brokenSince?: string
}

/**
 * Which processes do it. Handing slots on belongs to the generations that wait for them: whoever works on those must not depend on
 * another kind of process to hear that it is their turn.
 */
export const queueOfTask: Record<keyof Tasks, WorkQueue> = {
  submitGeneration: 'generations',
  pollGeneration: 'generations',
  finaliseGeneration: 'generations',
  cancelAtProvider: 'generations',
  grantVendorSlots: 'generations',
  fillStartLine: 'generations',
  inspectFile: 'files',
  removeObject: 'files',
  removeOrphans: 'files',
  deliverWebhooks: 'deliveries',
  deliverToTroubled: 'deliveries',
}

/**
 * The lowest of new work, which has higher numbers by its place in line (`migrations/functions/queue_starts.sql`). Every step of work that
 * has begun goes before: the queue takes the lowest number first.
 */
export const newWorkPriority = 1

const addJob = statement<{ id: string }>(
  'add_job',
  `select id from graphile_worker.add_job($1, $2::json, run_at => now() + $3 * interval '1 second', max_attempts => 30000, job_key => $4, flags => $5,
     priority => $6)`,
)

/**
 * Queues a job in the transaction of the context: it exists exactly when the rest of that transaction does.
 * A job with the same `key` that waits is replaced. `delaySeconds` is counted from the database's now; `flags` are what a runner may pass
 * jobs over by; of jobs that are due the lowest `priority` goes first.
 */
export async function enqueue<Name extends keyof Tasks>(
  context: Context,
  task: Name,
  payload: Tasks[Name],
  { key, delaySeconds = 0, flags, priority = 0 }: { key?: string; delaySeconds?: number; flags?: string[]; priority?: number } = {},
): Promise<void> {
  await context.sql.one(addJob, [task, JSON.stringify(payload), delaySeconds, key ?? null, flags ?? null, priority])
}

const addJobs = statement<never>(
  'add_jobs',
  `select graphile_worker.add_jobs(array(
     select (task, payload, null, now(), 30000, key, priority,
         array(select jsonb_array_elements_text(flags)))::graphile_worker.job_spec
       from jsonb_to_recordset($1) as asked (task text, payload json, key text, priority integer, flags jsonb)))`,
)

type Job<Name extends keyof Tasks> = { task: Name; payload: Tasks[Name]; key: string; priority: number; flags: string[] }

/** As {@link enqueue}, for jobs of different keys, all of them due now. */
export async function enqueueMany<Name extends keyof Tasks>(context: Context, jobs: readonly Job<Name>[]): Promise<void> {
  if (jobs.length > 0) await context.sql.all(addJobs, [JSON.stringify(jobs)])
}
