import { Refusal } from '../../../contract/refusals/refusals.ts'
import type { Spender } from '../../access/spender.ts'
import type { Context } from '../../context.ts'
import { awaitGeneration, type Wait } from '../reading/awaitGeneration.ts'
import { holdStart } from './holdStart.ts'
import { prepareStart, type StartCall } from './prepareStart.ts'
import type { Started } from './startAsTrial.ts'

/** `wait` delays the answer until the work ends. It is not part of the fingerprint. */
type CallWithWait = StartCall & { wait?: Wait | undefined }

/**
 * Starts a generation: holds its exact price and queues its work in one transaction and one round trip, shared with concurrent starts. With
 * an idempotency key or a quote, a repeat returns the first answer, regardless of later changes. With a wait, the answer comes after the
 * end of the work or of the wait; the end of a wait never ends the work.
 * Locks: idempotency key, account, count of open work, key, files, generations that are inputs. Refusals: those of findQuote,
 * idempotency_conflict, idempotency_in_progress, those of planGeneration, cost_above_limit, spend_limit_exceeded, insufficient_credits,
 * credit_reservation_failed, too_many_open, queue_unavailable.
 * Contract: docs/contract.md#start-a-generation, docs/contract.md#order-of-checks.
 */
export async function startGeneration(context: Context, spender: Spender, { wait, ...call }: CallWithWait): Promise<Started> {
  const prepared = await prepareStart(context, spender, call)
  const started = 'replayed' in prepared ? prepared : await holdStart(context, spender, prepared)
  return wait ? await awaitEnd(context, spender, { started, wait }) : started
}

/**
 * The started generation in its state at the end of the wait. If it cannot be read, since the database is unavailable or the key is no
 * longer valid, returns the answer of a start without a wait: the generation exists and costs in any case.
 */
async function awaitEnd(context: Context, spender: Spender, { started, wait }: { started: Started; wait: Wait }): Promise<Started> {
  try {
    return { ...started, generation: await awaitGeneration(context, spender, started.generation.generationId, wait) }
  } catch (error) {
    if (!(error instanceof Refusal)) context.log.error({ error }, 'a wait for a started generation failed')
    return started
  }
}
