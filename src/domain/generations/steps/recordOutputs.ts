import type { Json } from '../../../contract/json.ts'
import { type Context, transaction } from '../../context.ts'
import { statement } from '../../sql.ts'
import { toJsonbText } from '../../toJsonbText.ts'
import { statesBefore } from '../transitions.ts'
import type { Claim } from './claimGeneration.ts'
import { markRunning } from './markRunning.ts'
import { queueStep } from './queueStep.ts'

const finish = statement<{ id: string }>(
  'mark_finalizing',
  `update generations set state = 'finalizing', progress = null, queue_position = null,
       deadline_at = greatest(deadline_at, present() + $4 * interval '1 hour')
     where id = $1 and fence = $2 and state = any($3) returning id, release_vendor_slot(id)`,
)
const saveOutputs = statement<{ generationId: string }>(
  'save_outputs',
  `update generation_attempts set outputs = $3::jsonb, gathered_fence = $4, cost_usd = $5, cost_quantity = $6, cost_unit = $7,
       jobs_begun = 0, tries = 0
     where generation_id = $1 and number = $2 returning generation_id`,
)

const savedBefore = statement<{ generationId: string }>(
  'find_saved_outputs',
  'select generation_id from generation_attempts where generation_id = $1 and number = $2 and gathered_fence = $3',
)

/** How long fetching and storing a result is retried. The vendor bills for it in any case. */
const storeHours = 24

/** Only a few are ever tried, and a vendor may return any number. */
const outputsMax = 20

/** The cost of the work as reported by the vendor: in US dollars if known, and in its billing units. */
export type VendorCost = { usd?: number; quantity?: number; unit?: string }

/**
 * running → finalizing: records the outputs and queues the step that fetches them. Queued work passes through running. The deadline becomes
 * {@link storeHours} from now at least, for our own storage. Safe to repeat. False when another job claimed the generation, or when it has
 * ended. Locks: generation, attempt.
 */
export async function recordOutputs(
  context: Context,
  claim: Claim,
  { outputs, cost = {} }: { outputs: Json[]; cost?: VendorCost },
): Promise<boolean> {
  const { generation } = claim
  const { id, fence, attempt } = generation
  return transaction(context, async (inside) => {
    if (generation.state === 'queued') await markRunning(inside, claim)
    const moved = await inside.sql.one(finish, [id, fence, statesBefore('finalizing', 'job'), storeHours])
    // The confirmation of an earlier commit may have been lost.
    if (!moved) return (await inside.sql.one(savedBefore, [id, attempt, fence])) !== undefined
    await inside.sql.one(saveOutputs, [id, attempt, toJsonbText(outputs.slice(0, outputsMax)), fence, ...costColumns(cost)])
    await queueStep(inside, 'finaliseGeneration', generation)
    return true
  })
}

/** Invalid values count as unknown, so that a vendor's billing data never fails the work. */
function costColumns({ usd, quantity, unit }: VendorCost): (number | string | null)[] {
  const validOrNull = (value: number | undefined) => (value !== undefined && Number.isFinite(value) && value >= 0 ? value : null)
  return [validOrNull(usd), validOrNull(quantity), unit?.slice(0, 40) ?? null]
}
