import type { Context } from '../../context.ts'
import type { StepPayload } from '../../queue.ts'
import { deferJobNotices, sendJobNotice, sendNotice } from '../../sendNotice.ts'
import { statement } from '../../sql.ts'
import { type StepTask, statesBefore } from '../transitions.ts'
import type { Claim } from './claimGeneration.ts'
import { jobOrder } from './queueStep.ts'
import { positionOf, progressOf, type WorkProgress } from './workProgress.ts'

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
  /** The provider's report, after a poll. `isBegun`: the work no longer waits there. */
  seen?: WorkProgress & { isBegun: boolean }
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

const savePoll = statement<{ hasMoved: boolean; runningSince: Date | null }>(
  'record_poll',
  'select has_moved, running_since from record_poll($1, $2, false, $3, $4::text[], $5, $6, $7)',
)

/**
 * Records what the provider reported in a poll whose job waits for the next one itself: queued → running when the work has begun. Writes
 * nothing when nothing has changed since this job recorded a poll. `lost` when another job claimed the generation, or when it has ended.
 * Safe to repeat. Locks: generation, attempt.
 */
export async function recordPoll(context: Context, claim: Claim, seen: NonNullable<RescheduleOptions['seen']>): Promise<Claim | 'lost'> {
  const { generation } = claim
  const report = reportValues(claim, seen)
  const [begins, , hasReport, queuePosition, progress] = report
  if (!hasReport && claim.runCount === 0 && claim.tries === 0) return claim
  const row = await context.sql.one(savePoll, [generation.id, generation.fence, ...report])
  if (!row) return 'lost'
  if (row.hasMoved) sendNotice(context, 'progress', generation.id)
  const moved = { state: begins ? ('running' as const) : generation.state, startedAt: row.runningSince, queuePosition, progress }
  return { ...claim, generation: { ...generation, ...(row.hasMoved ? moved : {}) }, runCount: 0, tries: 0 }
}

type Report = [begins: boolean, from: readonly string[], hasReport: boolean, queuePosition: number | null, progress: number | null]

/** Whether the work begins, from which states, whether the report changes anything, and the report. */
function reportValues(claim: Claim, seen: RescheduleOptions['seen']): Report {
  const begins = seen?.isBegun === true && claim.generation.state === 'queued'
  const changes = seen !== undefined && (begins || hasChanged(claim, seen))
  return [begins, statesBefore('running', 'job'), changes, positionOf(seen?.queuePosition), progressOf(seen?.progress)]
}

function hasChanged({ generation }: Claim, { queuePosition, progress }: WorkProgress): boolean {
  return generation.queuePosition !== (queuePosition ?? null) || generation.progress !== (progress ?? null)
}
