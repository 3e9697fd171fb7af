import { readAttempt } from '../domain/generations/claimGeneration.ts'
import { findGeneration } from '../domain/generations/readGeneration.ts'
import type { JobHandle } from '../providers/provider.ts'
import { type JobServices, jobContext } from './jobContext.ts'
import { runnerOf } from './jobSpec.ts'

const answerMs = 15_000

/**
 * Tells the provider that work is no longer wanted, so that it stops costing its operator. What comes of it changes nothing for
 * the generation, which has ended already.
 */
export async function cancelAtProvider(jobs: JobServices, { generationId }: { generationId: string }): Promise<void> {
  const context = jobContext(jobs)
  const found = await findGeneration(context, generationId)
  const runner = found && runnerOf(jobs, found)
  const handle = found && (await readAttempt(context, found))?.handle
  if (!runner || !handle) return
  const outcome = await runner.provider.cancel(handle as JobHandle, { signal: AbortSignal.timeout(answerMs), clock: context.clock })
  context.log.info({ generationId, provider: runner.provider.id, outcome }, 'cancel passed on')
}
