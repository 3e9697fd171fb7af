import { setTimeout as pause } from 'node:timers/promises'
import { Refusal } from '../contract/refusals.ts'
import type { Context } from '../domain/context.ts'
import { type Claim, uncountBegun } from '../domain/generations/claimGeneration.ts'

const pausesMs = [0, 2_000, 8_000]

/**
 * Runs the work of a step, and passes its error on. A database that is away or locked is not the end of this process, so such a run does
 * not count as one in which the process died.
 */
export async function uncountUnavailable({ context, claim }: { context: Context; claim: Claim }, work: () => Promise<void>): Promise<void> {
  try {
    await work()
  } catch (error) {
    if (error instanceof Refusal && error.code === 'service_unavailable') await uncountWithRepeats(context, claim)
    throw error
  }
}

async function uncountWithRepeats(context: Context, claim: Claim): Promise<void> {
  for (const pauseMs of pausesMs) {
    await pause(pauseMs)
    try {
      return await uncountBegun(context, claim)
    } catch (error) {
      context.log.debug({ generationId: claim.generation.id, error }, 'a run of a step could not be uncounted yet')
    }
  }
}
