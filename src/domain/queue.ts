import type { WorkQueue } from '../contract/workQueues.ts'
import type { Context } from './context.ts'
import { statement } from './sql.ts'

/**
 * Every task with its payload. Payloads contain identifiers and states, never content. Names of tasks are stored with their jobs, which
 * processes of the previous release also queue and run: a name stays when its code gets another one.
 */
export type Tasks = {
  submitGeneration: StepPayload
  pollGeneration: StepPayload
  finaliseGeneration: StepPayload
  cancelAtProvider: { generationId: string; tries?: number }
  removeOrphans: { generationId: string }
  removeObject: { storageKey: string; tries?: number }
  inspectFile: { fileId: string }
  handSlotsOn: { providerId: string }
  fillStartLine: StartQueueKey
  deliverWebhooks: { subscriptionId: string }
  deliverToTroubled: { subscriptionId: string }
}

/** Identifies the start queue of an owner in a family: starts without a job. */
export type StartQueueKey = { familyId: string; ownerId: string }

/**
 * `unknownSince`: when a process first requeued the step because its catalog lacks the family. `refused`: why the provider refused the
 * last submit. `brokenSince`: since when every download of the output has been interrupted.
 */
export type StepPayload = {
  generationId: string
  unknownSince?: string
  refused?: 'model_at_capacity' | 'model_offline'
  brokenSince?: string
}

/**
 * The queue of each task. `handSlotsOn` runs grantVendorSlots. It belongs to the queue of the generations that wait for slots, so that
 * their processes do not depend on another kind of process.
 */
export const queueOfTask: Record<keyof Tasks, WorkQueue> = {
  submitGeneration: 'generations',
  pollGeneration: 'generations',
  finaliseGeneration: 'generations',
  cancelAtProvider: 'generations',
  handSlotsOn: 'generations',
  fillStartLine: 'generations',
  inspectFile: 'files',
  removeObject: 'files',
  removeOrphans: 'files',
  deliverWebhooks: 'deliveries',
  deliverToTroubled: 'deliveries',
}

/**
 * The first priority of new work; its place in the start queue adds to it (`migrations/functions/queue_starts.sql`). Steps of started work
 * have 0 and run first: the queue takes the lowest number first.
 */
export const newWorkPriority = 1

const addJob = statement<{ id: string }>(
  'add_job',
  `select id from graphile_worker.add_job($1, $2::json, run_at => now() + $3 * interval '1 second', max_attempts => 30000, job_key => $4, flags => $5,
     priority => $6)`,
)

/**
 * Queues a job in the current transaction. Replaces a waiting job with the same `key`. `delaySeconds` counts from the database's clock.
 * Runners can skip jobs by their `flags`. Of the due jobs, the lowest `priority` runs first.
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

/** Like {@link enqueue}, for several jobs with different keys, all due now. */
export async function enqueueMany<Name extends keyof Tasks>(context: Context, jobs: readonly Job<Name>[]): Promise<void> {
  if (jobs.length > 0) await context.sql.all(addJobs, [JSON.stringify(jobs)])
}
