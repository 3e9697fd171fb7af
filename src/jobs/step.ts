import type { Failure } from '../contract/failures.ts'
import type { Variant } from '../domain/catalog/family.ts'
import type { Context } from '../domain/context.ts'
import { type Claim, claimGeneration, comeBackLater, type StepTask } from '../domain/generations/claimGeneration.ts'
import { endGeneration } from '../domain/generations/endGeneration.ts'
import { findGeneration } from '../domain/generations/readGeneration.ts'
import type { Provider } from '../providers/provider.ts'
import { type JobServices, jobContext } from './jobContext.ts'
import { runnerOf } from './jobSpec.ts'

/** One step of a generation in the hands of a job. */
export type Step = {
  context: Context
  claim: Claim
  provider: Provider
  variant: Variant
  /** Ends the generation as failed, if this job still holds it: nothing is charged. */
  fail(failure: Failure): Promise<void>
  /** Leaves the step to a later job: it went well so far. */
  later(delaySeconds: number): Promise<void>
  /** Leaves the step to a later job that counts as another try. */
  tryAgain(delaySeconds: number): Promise<void>
}

/** Work that ended its process so often is not tried again. */
const deathsMax = 6

/**
 * Takes a generation over for one step and runs it, unless it is in another state by now. Work whose process died over and over,
 * or whose model has left the catalog, fails. Fenced: a job that was taken over writes nothing.
 */
export async function runStep(
  jobs: JobServices,
  generationId: string,
  options: { task: StepTask; from: ('queued' | 'running' | 'finalizing')[] },
  work: (step: Step) => Promise<void>,
): Promise<void> {
  const context = jobContext(jobs)
  const found = await findGeneration(context, generationId)
  if (!found || found.finishedAt) return
  const runner = runnerOf(jobs, found)
  if (!runner) {
    await endGeneration(context, generationId, { from: ['queued', 'running', 'finalizing'], to: 'failed', failure: offline })
    return
  }
  const { provider, variant } = runner
  const taken = { from: options.from, providerId: provider.id, deadlineSeconds: variant.deadlineSeconds }
  const claim = await claimGeneration(context, generationId, taken)
  if (!claim) return
  const fail = async (failure: Failure) => {
    await endGeneration(context, generationId, { from: ['running', 'finalizing'], to: 'failed', failure, fence: claim.generation.fence })
  }
  const comeBack = (isTry: boolean) => async (delaySeconds: number) =>
    void (await comeBackLater(context, claim, { task: options.task, delaySeconds, isTry }))
  if (claim.timesBegun > deathsMax) await fail({ code: 'internal_error', reason: 'unclassified' })
  else await work({ context, claim, provider, variant, fail, later: comeBack(false), tryAgain: comeBack(true) })
}

const offline: Failure = { code: 'model_unavailable', reason: 'model_offline' }

/** How long to wait before the `times`-th repeat of something that could not be asked: doubling from 1 s to 30 s. */
export function pauseSeconds(times: number): number {
  return Math.min(30, 2 ** Math.max(0, times - 1))
}

export function isPastDeadline({ context, claim }: Step): boolean {
  const { deadlineAt } = claim.generation
  return deadlineAt !== null && deadlineAt <= context.clock.now()
}
