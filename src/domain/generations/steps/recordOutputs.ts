import type { Json } from '../../../contract/json.ts'
import { deadlineSecondsMax } from '../../catalog/family.ts'
import type { Context } from '../../context.ts'
import { sendNotice } from '../../sendNotice.ts'
import { statement } from '../../sql.ts'
import { toJsonbText } from '../../toJsonbText.ts'
import { statesBefore } from '../transitions.ts'
import type { Claim } from './claimGeneration.ts'

const save = statement<{ goesOn: boolean; startedAt: Date; deadlineAt: Date }>(
  'record_outputs',
  'select goes_on, started_at, deadline_at from record_outputs($1, $2, $3::text[], $4::jsonb, $5, $6, $7, $8)',
)

/**
 * How long fetching and storing a result is retried. The vendor bills for it in any case. At least the longest deadline of the work, so that
 * `deadline_at` also records when finalizing began.
 */
export const storeHours = deadlineSecondsMax / 3600

/** The states of a generation whose outputs can be recorded. Queued work passes through running. */
export const statesBeforeOutputs = [...statesBefore('running', 'job'), ...statesBefore('finalizing', 'job')]

/** Only a few are ever tried, and a vendor may return any number. */
const outputsMax = 20

/** The cost of the work as reported by the vendor: in US dollars if known, and in its billing units. */
export type VendorCost = { usd?: number | undefined; quantity?: number | undefined; unit?: string | undefined }

/** `lost`: another job claimed the generation, or it has ended. `queued`: another job runs the next step. A claim: this job runs it. */
export type Recorded = 'lost' | 'queued' | Claim

/**
 * running → finalizing: records the outputs and continues with the step that fetches them, in this job unless the queue has lost it.
 * Queued work passes through running. The deadline becomes {@link storeHours} from now at least, for our own storage. Safe to repeat.
 * Locks: generation, vendor slot, job, attempt.
 */
export async function recordOutputs(
  context: Context,
  claim: Claim,
  { outputs, cost = {} }: { outputs: Json[]; cost?: VendorCost },
): Promise<Recorded> {
  const { id, fence } = claim.generation
  const kept = outputs.slice(0, outputsMax)
  const { usd, quantity, unit } = validCost(cost)
  const saved = await context.sql.one(save, [id, fence, statesBeforeOutputs, toJsonbText(kept), usd, quantity, unit, storeHours])
  if (!saved) return 'lost'
  sendNotice(context, 'progress', id)
  if (!saved.goesOn) return 'queued'
  const { startedAt, deadlineAt } = saved
  const generation = { ...claim.generation, state: 'finalizing' as const, startedAt, deadlineAt, progress: null, queuePosition: null }
  return { ...claim, generation, outputs: kept, gatheredFence: fence, runCount: 1, tries: 0 }
}

/** Invalid values count as unknown, so that a vendor's billing data never fails the work. */
export function validCost({ usd, quantity, unit }: VendorCost): VendorCost {
  const validOrUndefined = (value: number | undefined) => (value !== undefined && Number.isFinite(value) && value >= 0 ? value : undefined)
  return {
    usd: validOrUndefined(usd),
    quantity: validOrUndefined(quantity),
    unit: unit?.slice(0, 40).toWellFormed().replaceAll('\0', '\uFFFD'),
  }
}
