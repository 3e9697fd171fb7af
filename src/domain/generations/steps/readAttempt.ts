import type { Json } from '../../../contract/json.ts'
import type { Generation } from '../../../entities/Generation.ts'
import type { Context } from '../../context.ts'
import { statement } from '../../sql.ts'

export type Attempt = {
  idempotencyKey: string
  /** The time since which the provider may have the work; `null` when it certainly does not. */
  intentAt: Date | null
  handle: Json | null
  gatheredFence: number | null
  /** A job may have an open submit, or an answer that is not recorded yet. */
  inFlight: boolean
}

const attempt = statement<Attempt>(
  'read_attempt',
  `select idempotency_key, intent_at, handle, gathered_fence,
       exists (select from graphile_worker.jobs where key = 'generation:' || generation_id and locked_at is not null)
         or submit_is_open(intent_at, handle, asked_by, answer_until) as in_flight
     from generation_attempts where generation_id = $1 and number = $2`,
)

/** Reads the current attempt; `undefined` before the first. */
export async function readAttempt(context: Context, { id, attempt: number }: Generation): Promise<Attempt | undefined> {
  return context.sql.one(attempt, [id, number])
}
