import { makePartitions } from '../../domain/partitions/makePartitions.ts'
import { retirePartitions, sweepRetired } from '../../domain/partitions/retirePartitions.ts'
import type { JobContext } from '../runners/jobContext.ts'

/** Every few minutes: makes the partitions of the months to come. Throws when one could not have its lock in a moment. */
export async function keepPartitions(context: JobContext): Promise<void> {
  await inSteps(context, { made: () => makePartitions(context) })
}

/** Every few minutes: forgets the oldest partition of a table when its time is over, and clears up behind those that were retired. */
export async function clearPartitions(context: JobContext): Promise<void> {
  await inSteps(context, {
    retired: () => retirePartitions(context),
    'cleared up': () => sweepRetired(context, { signal: context.shutdown }),
  })
}

/** A step that could not have its lock in a moment, or fails, stops no other, and comes again the next time. Throws at the end then. */
async function inSteps(context: JobContext, steps: Record<string, () => Promise<string[]>>): Promise<void> {
  const failed: string[] = []
  for (const [step, run] of Object.entries(steps)) {
    if (context.shutdown.aborted) return
    try {
      const partitions = await run()
      if (partitions.length > 0) context.log.info({ partitions }, `partitions ${step}`)
    } catch (error) {
      failed.push(step)
      context.log.warn({ step, error }, 'partitions could not be kept yet')
    }
  }
  if (failed.length > 0) throw new Error(`steps failed: ${failed.join(', ')}`)
}
