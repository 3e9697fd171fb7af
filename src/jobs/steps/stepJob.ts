import { setTimeout as pause } from 'node:timers/promises'
import type { Context } from '../../domain/context.ts'
import { findGeneration } from '../../domain/generations/reading/readGeneration.ts'
import { type Claim, decrementRunCount } from '../../domain/generations/steps/claimGeneration.ts'
import type { StepTask } from '../../domain/generations/transitions.ts'
import type { StepPayload } from '../../domain/queue.ts'
import { type Generation, generationStates } from '../../entities/Generation.ts'
import type { JobContext } from '../runners/jobContext.ts'
import { tracedStep } from '../runners/jobSpans.ts'
import { failAndCancel } from './failGeneration.ts'
import { waitForLocalPoll } from './localPoll.ts'
import { isOutage } from './retryWrite.ts'
import { openStep, removeStagedFile, type Step } from './step.ts'

/** The work of each step. */
export type StepHandlers = Record<StepTask, (step: Step, payload: StepPayload) => Promise<void>>

/** After this many processes ended during a step, the generation fails. */
const crashesMax = 6

/**
 * Makes a job of a step: claims the generation, runs the step, and then the steps that are due at once or for which the job waits
 * ({@link waitForLocalPoll}). Does nothing for a generation that has ended.
 */
export function stepJob(task: StepTask, handlers: StepHandlers): (context: JobContext, payload: StepPayload) => Promise<void> {
  return async (context, payload) => {
    const found = await findGeneration(context, payload.generationId)
    if (!found || found.finishedAt) return
    // A job that went on with the fetch, and whose process ended there, still has the task of its first step.
    const due = found.state === 'finalizing' ? 'finaliseGeneration' : task
    await tracedStep(context, due, found, () => runJob(context, { task: due, found, payload, handlers }))
  }
}

type StepRun = { task: StepTask; found: Generation; payload: StepPayload; handlers: StepHandlers }

async function runJob(context: JobContext, { task, found, payload, handlers }: StepRun): Promise<void> {
  using step = await openStep(context, task, found, payload)
  if (!step) return
  try {
    if (step.claim.runCount > crashesMax) await failAndCancel(step, { code: 'internal_error', reason: 'unclassified' })
    else await handlers[task](step, payload)
    while (step.continues && (await waitForLocalPoll(step))) await runNextStep(step, handlers)
    if (!step.isJobRemoved) await requireClaim(context, step.claim)
  } catch (error) {
    await uncountOnOutage(context, step.claim, error)
    throw error
  } finally {
    await removeStagedFile(step)
  }
}

/** Runs the next step in the job of the step before it. */
async function runNextStep(step: Step, handlers: StepHandlers): Promise<void> {
  const { context, task, claim } = step
  step.continues = false
  step.countAsStarted()
  await tracedStep(context, task, claim.generation, () => handlers[task](step, { generationId: claim.generation.id }))
}

/**
 * Throws when the database no longer has the claim, or the state that this job has recorded: a standby that lacks the last commits has
 * become the primary. Its queue has the job again, which must not be completed.
 */
async function requireClaim(context: JobContext, { generation: { id, fence, state } }: Claim): Promise<void> {
  const found = await findGeneration(context, id)
  if (!found || found.finishedAt || found.fence > fence) return
  const isBehind = generationStates.indexOf(found.state) < generationStates.indexOf(state)
  if (found.fence < fence || isBehind) throw new Error('the database has lost the claim of this step')
}

const pausesMs = [0, 2_000, 8_000]

/**
 * Takes a run that ended with `error` out of the run count, if the database was unreachable or locked. The run count is for steps during
 * which the process ended.
 */
async function uncountOnOutage(context: Context, claim: Claim, error: unknown): Promise<void> {
  if (!isOutage(error)) return
  for (const pauseMs of pausesMs) {
    await pause(pauseMs)
    try {
      return await decrementRunCount(context, claim)
    } catch (failed) {
      context.log.debug({ generationId: claim.generation.id, error: failed }, 'the run count of a step could not be decremented yet')
    }
  }
}
