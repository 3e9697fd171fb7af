import type { Context } from '../../context.ts'
import { enqueue, enqueueMany, newWorkPriority, type Tasks } from '../../queue.ts'
import type { StepTask } from '../transitions.ts'

/** `attempt`: 0 while no job has taken the work. */
type StepTarget = { id: string; familyId: string; attempt: number }

/**
 * Queues the next job of a generation, in the transaction of the context. One at a time waits for it: one that waits already is
 * replaced. It carries its family's flags, by which a process passes over the families that hold their share of its slots.
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

function jobOrder(task: StepTask, { familyId, attempt }: StepTarget): { priority: number; flags: string[] } {
  if (task !== 'submitGeneration') return { priority: 0, flags: [familyFlag(familyId)] }
  return { priority: attempt === 0 ? newWorkPriority : 0, flags: [familyFlag(familyId), newWorkFlag(familyId)] }
}

/** What a process passes over while its slots for new work of the family are taken. */
export function newWorkFlag(familyId: string): string {
  return `new:${familyId}`
}

export function familyFlag(familyId: string): string {
  return `family:${familyId}`
}
