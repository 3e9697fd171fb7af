import type { Context } from '../../context.ts'
import { enqueue, enqueueMany, newWorkPriority, type Tasks } from '../../queue.ts'
import type { StepTask } from '../transitions.ts'

/** `attempt`: 0 until a job claims the generation. */
type StepTarget = { id: string; familyId: string; attempt: number }

/**
 * Queues the next job of a generation, in the transaction of the context. It replaces a waiting job of the same generation. The family's
 * flags let a process skip families that hold their share of its slots.
 */
export async function queueStep(
  context: Context,
  task: StepTask,
  generation: StepTarget,
  { delaySeconds = 0, ...payload }: { delaySeconds?: number } & Omit<Tasks[StepTask], 'generationId'> = {},
): Promise<void> {
  const { id } = generation
  await enqueue(context, task, { generationId: id, ...payload }, { key: `generation:${id}`, delaySeconds, ...jobOrder(task, generation) })
}

/** Queues the next jobs of many generations in one statement, as {@link queueStep} does. */
export async function queueSteps(context: Context, steps: readonly (StepTarget & { task: StepTask })[]): Promise<void> {
  const jobs = steps.map((step) => ({
    task: step.task,
    payload: { generationId: step.id },
    key: `generation:${step.id}`,
    ...jobOrder(step.task, step),
  }))
  await enqueueMany(context, jobs)
}

/** Attempts that a job has claimed go before new work. */
export function jobOrder(task: StepTask, { familyId, attempt }: StepTarget): { priority: number; flags: string[] } {
  if (task !== 'submitGeneration') return { priority: 0, flags: [startedWorkFlag(familyId)] }
  return { priority: attempt === 0 ? newWorkPriority : 0, flags: [newWorkFlag(familyId)] }
}

/** The flag that a process skips while its slots for new work of the family are taken. Earlier releases add the other one too. */
export function newWorkFlag(familyId: string): string {
  return `new:${familyId}`
}

/** The flag that a process skips while its slots for started work of the family are taken. */
export function startedWorkFlag(familyId: string): string {
  return `family:${familyId}`
}
