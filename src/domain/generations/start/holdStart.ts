import { creditsOf } from '../../../contract/hundredths.ts'
import { Refusal } from '../../../contract/refusals/refusals.ts'
import type { PublicGeneration } from '../../../contract/shapes/generation.ts'
import type { Spender } from '../../access/spender.ts'
import type { Context } from '../../context.ts'
import { blockersOf, readSpending } from '../../credits/spending.ts'
import { findInputs } from '../../files/findInputs.ts'
import { rethrowUnknownOutcome } from '../../unknownOutcome.ts'
import { findReplay } from './findReplay.ts'
import type { NewStart, StartVerdict } from './insertStarts.ts'
import type { PreparedStart } from './prepareStart.ts'
import { type Started, startAsTrial } from './startAsTrial.ts'
import { startBatcherOf } from './startBatcher.ts'

/** Open work ends slowly, so an earlier retry would mostly be refused again. */
const tooManyOpenSeconds = 10

/** Attempts to hold the price when newly read numbers contradict the refusal. */
const startAttemptsMax = 3

/**
 * Holds the price of a prepared start and queues its work, in a statement that concurrent starts share. Starts that are held in one tick
 * keep their order. Locks: idempotency key, account, count of open work, key, files, generations that are inputs. Refusals:
 * idempotency_conflict, idempotency_in_progress, family_unavailable, spend_limit_exceeded, insufficient_credits,
 * credit_reservation_failed, too_many_open, queue_unavailable.
 */
export async function holdStart(context: Context, spender: Spender, prepared: PreparedStart): Promise<Started> {
  const { start, generation, familyId, providerId } = prepared
  const { id: generationId, ownerId } = start.row
  const attempt = { familyId, providerId, generationId, ownerId, idempotency: start.idempotency }
  return await startAsTrial(context, attempt, () => startWithHold(context, spender, start, generation)).catch(rethrowUnknownOutcome)
}

async function startWithHold(context: Context, spender: Spender, start: NewStart, generation: PublicGeneration): Promise<Started> {
  const batcher = startBatcherOf(context)
  for (let attempts = 1; attempts <= startAttemptsMax; attempts++) {
    const verdict = await (attempts === 1 ? batcher.add(start) : batcher.alone(start)).catch(retryableVerdict)
    if (verdict === 'started') return { generation, replayed: false }
    const earlier = await replayOrRefuse(context, spender, start, verdict)
    if (earlier) return { generation: earlier, replayed: earlier.generationId !== generation.generationId }
  }
  throw new Refusal('credit_reservation_failed', { credits: creditsOf(start.row.price) })
}

/**
 * Throws the refusal with its numbers, or returns the answer to an earlier start. `undefined` if newly read numbers show neither: another
 * attempt may succeed.
 */
async function replayOrRefuse(
  context: Context,
  spender: Spender,
  { row, inputs, idempotency }: NewStart,
  verdict: Exclude<StartVerdict, 'started'>,
): Promise<PublicGeneration | undefined> {
  switch (verdict) {
    case 'known':
      return idempotency && (await findReplay(context, idempotency))
    case 'idempotency_in_progress':
      throw new Refusal('idempotency_in_progress', { retryAfterSeconds: 1 })
    case 'invalid_token':
      throw new Refusal('invalid_token')
    case 'too_many_open':
      throw new Refusal('too_many_open', { limit: context.settings.openGenerationsMax, retryAfterSeconds: tooManyOpenSeconds })
    case 'input_gone':
      await findInputs(context, spender.ownerId, inputs)
      return undefined
    case 'spend_limit_exceeded':
    case 'insufficient_credits':
    case 'crowded': {
      const [first] = blockersOf(await readSpending(context, spender), row.price, context.clock.now())
      if (first) throw first
      return undefined
    }
  }
}

function retryableVerdict(error: unknown): 'crowded' {
  if (error instanceof Refusal && error.code === 'credit_reservation_failed') return 'crowded'
  throw isQueueError(error) ? new Refusal('queue_unavailable', undefined, { cause: error }) : error
}

/** Whether the error comes from the queue's schema. The statement also queues the job. */
function isQueueError(error: unknown): boolean {
  const { schema, message, where } = (error ?? {}) as { schema?: unknown; message?: unknown; where?: unknown }
  return [schema, message, where].some((text) => typeof text === 'string' && text.includes('graphile_worker'))
}
