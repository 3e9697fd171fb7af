import { setTimeout as pause } from 'node:timers/promises'
import { Refusal } from '../../contract/refusals/refusals.ts'
import type { Context } from '../../domain/context.ts'
import { type Claim, decrementRunCount } from '../../domain/generations/steps/claimGeneration.ts'

const pausesMs = [0, 2_000, 8_000]

/**
 * Runs the work of a step, and passes its error on. A database that is away or locked is not the end of this process, so such a run does
 * not count as one in which the process died.
 */
export async function uncountOnOutage({ context, claim }: { context: Context; claim: Claim }, work: () => Promise<void>): Promise<void> {
  try {
    await work()
  } catch (error) {
    if (error instanceof Refusal && error.code === 'service_unavailable') await uncountWithRetries(context, claim)
    throw error
  }
}

async function uncountWithRetries(context: Context, claim: Claim): Promise<void> {
  for (const pauseMs of pausesMs) {
    await pause(pauseMs)
    try {
      return await decrementRunCount(context, claim)
    } catch (error) {
      context.log.debug({ generationId: claim.generation.id, error }, 'a run of a step could not be uncounted yet')
    }
  }
}
