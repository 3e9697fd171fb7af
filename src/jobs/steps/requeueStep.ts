import { endSerialized } from '../../domain/generations/ending/endSerialized.ts'
import { queueStep } from '../../domain/generations/steps/queueStep.ts'
import type { StepTask } from '../../domain/generations/transitions.ts'
import type { StepPayload } from '../../domain/queue.ts'
import type { Generation } from '../../entities/Generation.ts'
import type { JobContext } from '../runners/jobContext.ts'

/** The pause of a job without a free slot. Random, so that waiting jobs do not all return at once. */
export function slotRetrySeconds(): number {
  return 0.5 + Math.random()
}

/** Requeues a step until a process has a free slot for its family. */
export async function requeueForSlot(context: JobContext, task: StepTask, generation: Generation): Promise<void> {
  await queueStep(context, task, generation, { delaySeconds: slotRetrySeconds() })
}

/** A roll-out takes less. A family that no process has after this time has left the catalog. */
const unknownMinutesMax = 10
const unknownPauseSeconds = 5

/**
 * Requeues a step for a process whose catalog has the family: during a roll-out, catalogs of processes differ. After ten minutes the
 * generation fails.
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
  await endSerialized(context, generation, { by: 'job', to: 'failed', failure, cleanup: ['work', 'objects'] })
}
