import { findGeneration } from '../../domain/generations/reading/readGeneration.ts'
import type { Claim } from '../../domain/generations/steps/claimGeneration.ts'
import type { StepTask } from '../../domain/generations/transitions.ts'
import type { StepPayload } from '../../domain/queue.ts'
import type { Generation } from '../../entities/Generation.ts'
import type { JobContext } from '../runners/jobContext.ts'
import { tracedStep } from '../runners/jobSpans.ts'
import { failAndCancel } from './failGeneration.ts'
import { openStep, type Step } from './step.ts'
import { uncountOnOutage } from './uncountOnOutage.ts'

export type StepHandler = (step: Step, payload: StepPayload) => Promise<void>

/** After this many processes ended during a step, the generation fails. */
const crashesMax = 6

/** Makes a job of a step: claims the generation and runs `handle`. Does nothing for a generation that has ended. */
export function stepJob(task: StepTask, handle: StepHandler): (context: JobContext, payload: StepPayload) => Promise<void> {
  return async (context, payload) => {
    const found = await findGeneration(context, payload.generationId)
    if (!found || found.finishedAt) return
    await tracedStep(context, task, found, () => runStep(context, { task, found, payload, handle }))
  }
}

type StepRun = { task: StepTask; found: Generation; payload: StepPayload; handle: StepHandler }

async function runStep(context: JobContext, { task, found, payload, handle }: StepRun): Promise<void> {
  using step = await openStep(context, task, found, payload)
  if (!step) return
  const { claim } = step
  try {
    if (claim.runCount > crashesMax) await failAndCancel(step, { code: 'internal_error', reason: 'unclassified' })
    else await handle(step, payload)
    await requireClaim(context, claim)
  } catch (error) {
    await uncountOnOutage(context, claim, error)
    throw error
  }
}

/**
 * Throws when the database no longer has the claim: a standby that lacks the last commits has become the primary. It lacks the writes of
 * the step as well, and its queue has the job again, which must not be completed.
 */
async function requireClaim(context: JobContext, { generation: { id, fence } }: Claim): Promise<void> {
  const found = await findGeneration(context, id)
  if (found && !found.finishedAt && found.fence < fence) throw new Error('the database has lost the claim of this step')
}
