import { endSerialized } from '../../domain/generations/ending/endSerialized.ts'
import { queueStep } from '../../domain/generations/steps/queueStep.ts'
import type { StepTask } from '../../domain/generations/transitions.ts'
import type { StepPayload } from '../../domain/queue.ts'
import type { Generation } from '../../entities/Generation.ts'
import type { JobContext } from '../runners/jobContext.ts'

/** Until a job that found no slot looks for one again; uneven, so that not all of them come at once. */
export function slotRetrySeconds(): number {
  return 0.5 + Math.random()
}

/** Leaves a step to whoever has a slot free for its family. */
export async function requeueForSlot(context: JobContext, task: StepTask, generation: Generation): Promise<void> {
  await queueStep(context, task, generation, { delaySeconds: slotRetrySeconds() })
}

/** A roll-out is over by then: work of a family that nobody knew for so long has lost its model. */
const unknownMinutesMax = 10
const unknownPauseSeconds = 5

/**
 * Leaves a step to a process whose catalog has the family: in a roll-out some are newer than others. Work that has been handed about for
 * ten minutes fails, since its model has left the catalog.
 */
export async function requeueUnknownFamily(
  context: JobContext,
  task: StepTask,
  generation: Generation,
  payload: StepPayload,
): Promise<void> {
  const now = context.clock.now()
  const since = payload.unknownSince === undefined ? now : new Date(payload.unknownSince)
  if (now.getTime() - since.getTime() < unknownMinutesMax * 60_000) {
    await queueStep(context, task, generation, { delaySeconds: unknownPauseSeconds, unknownSince: since.toISOString() })
    return
  }
  const failure = { code: 'model_unavailable', reason: 'model_offline' } as const
  await endSerialized(context, generation, { by: 'job', to: 'failed', failure, leaves: ['work', 'objects'] })
}
