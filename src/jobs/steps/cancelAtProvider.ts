import { findGeneration } from '../../domain/generations/reading/readGeneration.ts'
import { readAttempt } from '../../domain/generations/steps/readAttempt.ts'
import { enqueue, type Tasks } from '../../domain/queue.ts'
import type { Generation } from '../../entities/Generation.ts'
import type { JobHandle } from '../../providers/provider.ts'
import type { JobContext } from '../runners/jobContext.ts'
import { jobSpecOf, type Runner, runnerOf } from './jobSpec.ts'
import { openProviderCall } from './openProviderCall.ts'
import { slotRetrySeconds } from './requeueStep.ts'

/** The pause while a submit of the work is open. */
const openSubmitPauseSeconds = 5
/** The pauses double from a second: about a quarter of an hour in all. */
const attemptsMax = 10

type Payload = Tasks['cancelAtProvider']

/**
 * Cancels the work of an ended generation at the provider, so that it causes no more cost. The outcome does not change the generation.
 * Waits while a submit is open. Without a handle it repeats the submit to get one, if the provider recognises repeats.
 */
export async function cancelAtProvider(context: JobContext, payload: Payload): Promise<void> {
  const found = await findGeneration(context, payload.generationId)
  const runner = found?.finishedAt ? runnerOf(context, found) : undefined
  const attempt = found && (await readAttempt(context, found))
  if (!found || !runner || !attempt || attempt.intentAt === null) return
  if (attempt.handle === null && attempt.inFlight) return requeue(context, payload, openSubmitPauseSeconds)
  const release = context.slots.take({ group: runner.provider.id, member: found.familyId })
  if (!release) return requeue(context, payload, slotRetrySeconds())
  try {
    const handle = (attempt.handle as JobHandle | null) ?? (await repeatSubmit(context, found, runner, attempt.idempotencyKey))
    if (handle) await callCancel(context, found, runner, handle)
  } catch (error) {
    await retryCancel(context, payload, error)
  } finally {
    release()
  }
}

async function callCancel({ clock, log, metrics }: JobContext, found: Generation, { provider }: Runner, handle: JobHandle): Promise<void> {
  using call = openProviderCall(provider, 'cancel', { clock, log, metrics })
  const outcome = await call.awaitAnswer(provider.cancel(handle, call.context))
  log.info({ generationId: found.id, provider: provider.id, outcome }, 'a cancel reached the provider')
}

async function repeatSubmit(
  context: JobContext,
  generation: Generation,
  { provider, variant }: Runner,
  idempotencyKey: string,
): Promise<JobHandle | undefined> {
  const { idempotentSubmit, cancel } = provider.capabilities
  if (!idempotentSubmit || cancel === 'never') return undefined
  const { clock, log, metrics } = context
  const spec = await jobSpecOf(context, { generation, idempotencyKey }, variant)
  using call = openProviderCall(provider, 'submit', { clock, log, metrics })
  const submitted = await call.awaitAnswer(provider.submit(spec, call.context))
  // The outcome of the first submit is still unknown.
  if (submitted.kind === 'busy') throw new Error('the provider has no room for the repeat')
  return submitted.kind === 'job' ? submitted.handle : undefined
}

async function retryCancel(context: JobContext, payload: Payload, error: unknown): Promise<void> {
  const tries = (payload.tries ?? 0) + 1
  context.log.warn({ generationId: payload.generationId, tries, error }, 'a cancel did not reach the provider')
  if (tries < attemptsMax) await requeue(context, { ...payload, tries }, context.shutdown.aborted ? 0 : 2 ** (tries - 1))
}

async function requeue(context: JobContext, payload: Payload, delaySeconds: number): Promise<void> {
  await enqueue(context, 'cancelAtProvider', payload, { key: `cancel:${payload.generationId}`, delaySeconds })
}
