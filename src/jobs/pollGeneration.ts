import { recordOutputs } from '../domain/generations/claimGeneration.ts'
import { enqueue } from '../domain/queue.ts'
import type { JobHandle, Poll } from '../providers/provider.ts'
import type { JobServices } from './jobContext.ts'
import { jobSpecOf } from './jobSpec.ts'
import { isPastDeadline, runStep, type Step } from './step.ts'
import { whileWanted } from './whileWanted.ts'

/** Before the next look when the provider did not answer this one. */
const unansweredPauseSeconds = 5

/**
 * Looks at the work once. Only a verdict of the provider or the deadline ends it; a look that fails is repeated, and past the deadline
 * the provider is asked one last time.
 */
export async function pollGeneration(jobs: JobServices, { generationId }: { generationId: string }): Promise<void> {
  await runStep(jobs, generationId, { task: 'pollGeneration', from: ['running'] }, async (step) => {
    const { context, claim } = step
    if (claim.handle === null) return enqueue(context, 'submitGeneration', { generationId })
    const poll = await look(jobs, step, claim.handle as JobHandle)
    if (poll?.state === 'succeeded') return void (await recordOutputs(context, claim, poll.outputs))
    if (poll?.state === 'failed') return step.fail(poll.failure)
    if (poll?.state === 'cancelled') return step.fail({ code: 'user_cancellation', reason: 'cancelled_upstream' })
    if (isPastDeadline(step)) return giveUp(step)
    return step.later(poll ? poll.pollAfterMs / 1000 : unansweredPauseSeconds)
  })
}

async function look(jobs: JobServices, step: Step, handle: JobHandle): Promise<Poll | undefined> {
  const { context, claim, provider, variant } = step
  try {
    const spec = await jobSpecOf(context, claim, variant)
    return await whileWanted(context, claim.generation.id, jobs.shutdown, (signal) =>
      provider.poll(handle, spec, { signal, clock: context.clock }),
    )
  } catch (error) {
    context.log.warn({ generationId: claim.generation.id, provider: provider.id, error: String(error) }, 'poll did not answer')
    return undefined
  }
}

async function giveUp(step: Step): Promise<void> {
  await step.fail({ code: 'timeout', reason: 'deadline_exceeded' })
  await enqueue(step.context, 'cancelAtProvider', { generationId: step.claim.generation.id })
}
