import type { Context } from '../../context.ts'
import { sendNotice } from '../../sendNotice.ts'
import { statement } from '../../sql.ts'
import { statesBefore } from '../transitions.ts'
import type { Claim } from './claimGeneration.ts'
import { positionOf, progressOf, type WorkProgress } from './workProgress.ts'

/** The provider's report after a poll. `isBegun`: the work no longer waits there. */
export type PollReport = WorkProgress & { isBegun: boolean }

const savePoll = statement<{ hasMoved: boolean; runningSince: Date | null }>(
  'record_poll',
  'select has_moved, running_since from record_poll($1, $2, false, $3, $4::text[], $5, $6, $7)',
)

/**
 * Records what the provider reported in a poll whose job waits for the next one itself: queued → running when the work has begun. Writes
 * nothing when nothing has changed since this job recorded a poll. `lost` when another job claimed the generation, or when it has ended.
 * Safe to repeat. Locks: generation, attempt.
 */
export async function recordPoll(context: Context, claim: Claim, seen: PollReport): Promise<Claim | 'lost'> {
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
export function reportValues(claim: Claim, seen: PollReport | undefined): Report {
  const begins = seen?.isBegun === true && claim.generation.state === 'queued'
  const changes = seen !== undefined && (begins || hasChanged(claim, seen))
  return [begins, statesBefore('running', 'job'), changes, positionOf(seen?.queuePosition), progressOf(seen?.progress)]
}

function hasChanged({ generation }: Claim, { queuePosition, progress }: WorkProgress): boolean {
  return generation.queuePosition !== (queuePosition ?? null) || generation.progress !== (progress ?? null)
}
