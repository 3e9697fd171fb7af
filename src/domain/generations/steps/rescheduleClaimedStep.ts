import type { Context } from '../../context.ts'
import type { StepPayload } from '../../queue.ts'
import { deferJobNotices, sendJobNotice, sendNotice } from '../../sendNotice.ts'
import { statement } from '../../sql.ts'
import type { StepTask } from '../transitions.ts'
import type { Claim } from './claimGeneration.ts'
import { jobOrder } from './queueStep.ts'
import { type PollReport, reportValues } from './recordPoll.ts'

const reschedule = statement<{ releasedJob: number | null; hasMoved: boolean }>(
  'reschedule_step',
  `select released_job, has_moved from ${deferJobNotices}, reschedule_step($1, $2, $3, $4::json, $5, $6, $7, $8::text[], $9, $10, $11, $12::text[], $13, $14)`,
)

/** A job that the queue runs in this process, and the pool under which it is locked. */
export type QueuedJob = { id: number; poolId: string }

export type RescheduleOptions = {
  task: StepTask
  delaySeconds: number
  /** The run is a retry. Retries are counted until a run succeeds. */
  isRetry: boolean
  /** The provider's report, after a poll. */
  seen?: PollReport
  brokenSince?: string | undefined
  /** The job of this run. It becomes the next run, if that is not due at once. */
  job?: QueuedJob | undefined
}

/** `job`: the job that became the next run. The queue must not complete it. */
export type Rescheduled = { job: number | undefined }

/**
 * Queues another run of `task`, and records what the provider reported: queued → running when it has begun. `undefined` when another job
 * claimed the generation, or when it has ended. Safe to repeat. Locks: generation, attempt, job.
 */
export async function rescheduleClaimedStep(
  context: Context,
  claim: Claim,
  { task, delaySeconds, isRetry, seen, brokenSince, job }: RescheduleOptions,
): Promise<Rescheduled | undefined> {
  const { generation } = claim
  const { id, fence } = generation
  const payload: StepPayload = { generationId: id, ...(brokenSince === undefined ? {} : { brokenSince }) }
  const next = [id, fence, task, JSON.stringify(payload), delaySeconds, isRetry]
  const queued = [jobOrder(task, generation).flags, job?.id ?? null, job?.poolId ?? null]
  const row = await context.sql.one(reschedule, [...next, ...reportValues(claim, seen), ...queued])
  if (!row) return undefined
  if (row.hasMoved) sendNotice(context, 'progress', id)
  sendJobNotice(context)
  return { job: row.releasedJob ?? undefined }
}
