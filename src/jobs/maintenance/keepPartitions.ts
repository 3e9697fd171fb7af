import { makePartitions } from '../../domain/partitions/makePartitions.ts'
import { retirePartitions, sweepRetired } from '../../domain/partitions/retirePartitions.ts'
import type { JobContext } from '../runners/jobContext.ts'

/** Creates the partitions of the next months, every few minutes. Throws when a table is locked for more than a moment. */
export async function keepPartitions(context: JobContext): Promise<void> {
  await inSteps(context, { created: () => makePartitions(context) })
}

/** Drops expired partitions and cleans up behind detached ones, every few minutes. */
export async function clearPartitions(context: JobContext): Promise<void> {
  await inSteps(context, {
    retired: () => retirePartitions(context),
    'cleared up': () => sweepRetired(context, { signal: context.shutdown }),
  })
}

/** Runs all steps. A step that fails, or waits too long for a lock, runs again the next time. Throws at the end if one failed. */
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
