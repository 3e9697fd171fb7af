import { findGeneration } from '../../domain/generations/reading/readGeneration.ts'
import { readAttempt } from '../../domain/generations/steps/readAttempt.ts'
import { enqueue, type Tasks } from '../../domain/queue.ts'
import type { Generation } from '../../entities/Generation.ts'
import type { JobHandle } from '../../providers/provider.ts'
import type { JobContext } from '../runners/jobContext.ts'
import { callProvider } from './callProvider.ts'
import { jobSpecOf, type Runner, runnerOf } from './jobSpec.ts'
import { slotRetrySeconds } from './requeueStep.ts'

/** Until the answer to a submit that is under way has come, or has not. */
const submitPauseSeconds = 5
/** A provider that does not answer is told again so often, after pauses that double from a second: about a quarter of an hour. */
const attemptsMax = 10

type Payload = Tasks['cancelAtProvider']

/**
 * Tells the provider that work is no longer wanted, so that it stops costing its operator. What comes of it changes nothing for
 * the generation, which has ended already. Work that may be at the provider without a handle is waited for as long as it is being handed
 * over; where nobody is left who would hear the answer, the repeat of the submit gives the handle, if the provider knows repeats.
 */
export async function cancelAtProvider(context: JobContext, payload: Payload): Promise<void> {
  const found = await findGeneration(context, payload.generationId)
  const runner = found?.finishedAt ? runnerOf(context, found) : undefined
  const attempt = found && (await readAttempt(context, found))
  if (!found || !runner || !attempt || attempt.intentAt === null) return
  if (attempt.handle === null && attempt.inFlight) return again(context, payload, submitPauseSeconds)
  const release = context.slots.take({ group: runner.provider.id, member: found.familyId })
  if (!release) return again(context, payload, slotRetrySeconds())
  try {
    const handle = (attempt.handle as JobHandle | null) ?? (await repeatSubmit(context, found, runner, attempt.idempotencyKey))
    if (handle) await cancel(context, found, runner, handle)
  } catch (error) {
    await retryCancel(context, payload, error)
  } finally {
    release()
  }
}

async function cancel({ clock, log, metrics }: JobContext, found: Generation, { provider }: Runner, handle: JobHandle): Promise<void> {
  const outcome = await callProvider(provider, 'cancel', { clock, log, metrics }, (asked) => provider.cancel(handle, asked))
  log.info({ generationId: found.id, provider: provider.id, outcome }, 'cancel passed on')
}

async function repeatSubmit(
  context: JobContext,
  generation: Generation,
  { provider, variant }: Runner,
  idempotencyKey: string,
): Promise<JobHandle | undefined> {
  const { idempotentSubmit, cancel: cancels } = provider.capabilities
  if (!idempotentSubmit || cancels === 'never') return undefined
  const spec = await jobSpecOf(context, { generation, idempotencyKey }, variant)
  const submitted = await callProvider(provider, 'submit', { clock: context.clock, log: context.log, metrics: context.metrics }, (asked) =>
    provider.submit(spec, asked),
  )
  // It has not said what became of the first submit.
  if (submitted.kind === 'busy') throw new Error('the provider has no room for the repeat')
  return submitted.kind === 'job' ? submitted.handle : undefined
}

async function retryCancel(context: JobContext, payload: Payload, error: unknown): Promise<void> {
  const tries = (payload.tries ?? 0) + 1
  context.log.warn({ generationId: payload.generationId, tries, error }, 'a cancel could not be passed on')
  if (tries < attemptsMax) await again(context, { ...payload, tries }, context.shutdown.aborted ? 0 : 2 ** (tries - 1))
}

async function again(context: JobContext, payload: Payload, delaySeconds: number): Promise<void> {
  await enqueue(context, 'cancelAtProvider', payload, { key: `cancel:${payload.generationId}`, delaySeconds })
}
