import type { Context } from '../context.ts'
import { enqueue, type Tasks } from '../queue.ts'
import type { StepTask } from './transitions.ts'

/**
 * Queues the next job of a generation, in the transaction of the context. One at a time waits for it: one that waits already is
 * replaced. It carries its family's flag, by which a process passes over the families that hold their share of its slots.
 */
export async function queueStep(
  context: Context,
  task: StepTask,
  { id, familyId }: { id: string; familyId: string },
  { delaySeconds = 0, ...payload }: { delaySeconds?: number } & Omit<Tasks[StepTask], 'generationId'> = {},
): Promise<void> {
  const key = `generation:${id}`
  await enqueue(context, task, { generationId: id, ...payload }, { key, delaySeconds, flags: [familyFlag(familyId)] })
}

export function familyFlag(familyId: string): string {
  return `family:${familyId}`
}
