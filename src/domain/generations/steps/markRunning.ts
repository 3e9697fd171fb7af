import type { Context } from '../../context.ts'
import { statement } from '../../sql.ts'
import { statesBefore } from '../transitions.ts'
import type { Claim } from './claimGeneration.ts'

const begin = statement<{ id: string }>(
  'mark_running',
  `update generations set state = 'running', started_at = coalesce(started_at, present()), queue_position = null
     where id = $1 and fence = $2 and state = any($3) returning id`,
)

/**
 * queued → running: the provider reports the begin, or has accepted work without a queue report. A cancel after this is charged.
 * Running work stays running. False when another job claimed the generation, or when it has ended. Contract: docs/contract.md#states.
 */
export async function markRunning(inside: Context, { generation }: Claim): Promise<boolean> {
  const from = [...statesBefore('running', 'job'), 'running']
  return (await inside.sql.one(begin, [generation.id, generation.fence, from])) !== undefined
}

const place = statement<{ id: string }>(
  'record_progress',
  `update generations set queue_position = $3, progress = $4 where id = $1 and fence = $2 and finished_at is null returning id`,
)

/** Progress reported by the provider. `queuePosition`: 1 is next. `progress`: 0 to 1. */
export type WorkProgress = { queuePosition?: number | undefined; progress?: number | undefined }

/** Records progress; invalid values count as unknown. False when another job claimed the generation, or when it has ended. */
export async function recordProgress(inside: Context, { generation }: Claim, { queuePosition, progress }: WorkProgress): Promise<boolean> {
  const values = [generation.id, generation.fence, positionOf(queuePosition), progressOf(progress)]
  return (await inside.sql.one(place, values)) !== undefined
}

/** A valid place in the provider's queue; other values count as unknown. */
export function positionOf(value: number | undefined): number | null {
  return value !== undefined && Number.isSafeInteger(value) && value >= 1 && value < 2 ** 31 ? value : null
}

function progressOf(value: number | undefined): number | null {
  return value !== undefined && value >= 0 && value <= 1 ? Math.round(value * 100) / 100 : null
}
