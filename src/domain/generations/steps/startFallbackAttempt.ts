import { Refusal } from '../../../contract/refusals/refusals.ts'
import { checkParameters } from '../../catalog/checkParameters.ts'
import type { Variant } from '../../catalog/family.ts'
import { priceOf } from '../../catalog/priceOf.ts'
import { type Context, transaction } from '../../context.ts'
import { findInputs } from '../../files/findInputs.ts'
import { statement } from '../../sql.ts'
import { endTrial } from '../../vendors/trials.ts'
import { namedInputsOf } from '../start/requestedInputs.ts'
import type { Claim } from './claimGeneration.ts'
import { queueStep } from './queueStep.ts'

/**
 * The fallback of the present variant, if it accepts this request for at most the price held; otherwise `undefined`.
 * Contract: docs/contract.md#fallback-variants.
 */
export async function findFallbackVariant(context: Context, { generation }: Claim, present: Variant): Promise<Variant | undefined> {
  const family = context.catalog.families.get(generation.familyId)
  const other = family?.variants.find(({ modelId }) => modelId === present.fallback)
  if (!family || !other) return undefined
  try {
    const parameters = checkParameters(family, other, generation.parameters)
    const inputs = await findInputs(context, generation.ownerId, namedInputsOf(generation.inputs))
    const { total } = priceOf(other, { parameters, prompt: generation.prompt, inputs })
    return total <= generation.price ? other : undefined
  } catch (error) {
    // The fallback does not accept the request.
    if (error instanceof Refusal && error.code !== 'service_unavailable') return undefined
    throw error
  }
}

const nextAttempt = statement<{ id: string }>(
  'start_next_attempt',
  `with refused as (
     update generation_attempts a set intent_at = null from generations g
       where g.id = $1 and g.fence = $2 and g.attempt = $3 and g.finished_at is null
         and a.generation_id = g.id and a.number = g.attempt and a.handle is null
       returning a.generation_id
   )
   update generations g set attempt = g.attempt + 1, fallback_model_id = $4 from refused
     where g.id = refused.generation_id and g.fence = $2 and g.attempt = $3 and g.finished_at is null
     returning g.id, release_vendor_slot(g.id)`,
)

/**
 * Moves work that the present variant has certainly not taken to another variant: starts a new attempt with its own idempotency key, for
 * the price held, and releases the vendor slot of the old attempt. False when another job claimed the generation, or when it has ended.
 * Locks: generation, attempt, breakers.
 */
export async function startFallbackAttempt(context: Context, { generation }: Claim, { modelId }: Variant): Promise<boolean> {
  const { id, fence, attempt } = generation
  return transaction(context, async (inside) => {
    if (!(await inside.sql.one(lockClaimed, [id, fence]))) return false
    if (!(await inside.sql.one(nextAttempt, [id, fence, attempt, modelId]))) return false
    await endTrial(inside, id)
    await queueStep(inside, 'submitGeneration', generation)
    return true
  })
}

const lockClaimed = statement<{ id: string }>(
  'lock_for_fallback',
  'select id from generations where id = $1 and fence = $2 and finished_at is null for no key update',
)
