import type { PublicGeneration } from '../../../contract/shapes/generation.ts'
import { lockRefusal } from '../../catalog/lockReason.ts'
import type { Context } from '../../context.ts'
import { breakersOfFamily } from '../../vendors/breakers.ts'
import { claimTrial, endTrial } from '../../vendors/trials.ts'
import { findReplay, type Idempotency } from './findReplay.ts'

/** The generation in its public shape. For a replay, the stored first answer. */
export type Started = { generation: PublicGeneration; replayed: boolean }

/**
 * Runs a start. After a breaker lock of its family or vendor has expired, the start becomes the only trial, and others are refused until it
 * has ended. Locks of other vendors of the family are ignored, since this trial cannot unlock them. A start that fails releases the trial.
 * Refusals: family_unavailable, unless there is an earlier answer for the idempotency key.
 * Contract: docs/contract.md#lock-after-failures.
 */
export async function startAsTrial(
  context: Context,
  attempt: { familyId: string; providerId: string; generationId: string; ownerId: string; idempotency: Idempotency | undefined },
  start: () => Promise<Started>,
): Promise<Started> {
  const { breakers } = context
  const subjects = breakersOfFamily(attempt.familyId, [attempt.providerId])
  if (!breakers.needsTrial(subjects)) return await start()
  if (!(await claimTrial(context, subjects, attempt))) {
    const earlier = attempt.idempotency && (await findReplay(context, attempt.idempotency))
    if (earlier) return { generation: earlier, replayed: true }
    await breakers.refresh()
    throw lockRefusal('temporarily_unavailable', attempt.familyId, Math.max(1, breakers.lockedSeconds(subjects)))
  }
  let isTrial = false
  try {
    const started = await start()
    isTrial = started.generation.generationId === attempt.generationId
    return started
  } finally {
    if (!isTrial) await endTrial(context, attempt.generationId)
  }
}
