import { setTimeout as pause } from 'node:timers/promises'
import { Refusal } from '../../contract/refusals/refusals.ts'
import type { Context } from '../../domain/context.ts'
import { type Claim, decrementRunCount } from '../../domain/generations/steps/claimGeneration.ts'

const pausesMs = [0, 2_000, 8_000]

/**
 * Takes a run that ended with `error` out of the run count, if the database was unreachable or locked. The run count is for steps during
 * which the process ended.
 */
export async function uncountOnOutage(context: Context, claim: Claim, error: unknown): Promise<void> {
  if (!(error instanceof Refusal) || error.code !== 'service_unavailable') return
  for (const pauseMs of pausesMs) {
    await pause(pauseMs)
    try {
      return await decrementRunCount(context, claim)
    } catch (failed) {
      context.log.debug({ generationId: claim.generation.id, error: failed }, 'the run count of a step could not be decremented yet')
    }
  }
}
