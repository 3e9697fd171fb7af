import { makePartitions } from '../domain/partitions/makePartitions.ts'
import { retirePartitions, sweepRetired } from '../domain/partitions/retirePartitions.ts'
import type { JobContext } from './jobContext.ts'

/**
 * Every few minutes, and when a worker starts: makes the partitions of the months to come, and forgets those whose time is over. A step
 * that could not have its lock in a moment, or fails, stops no other, and comes again the next time.
 */
export async function keepPartitions(context: JobContext): Promise<void> {
  await step('made', () => makePartitions(context))
  await step('retired', () => retirePartitions(context))
  await step('cleared up', () => sweepRetired(context, { signal: context.shutdown }))

  async function step(done: string, run: () => Promise<string[]>): Promise<void> {
    if (context.shutdown.aborted) return
    try {
      const partitions = await run()
      if (partitions.length > 0) context.log.info({ partitions }, `partitions ${done}`)
    } catch (error) {
      context.log.warn({ step: done, error }, 'partitions could not be kept yet')
    }
  }
}
