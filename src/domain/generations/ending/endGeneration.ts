import type { Failure } from '../../../contract/failures/failures.ts'
import type { Generation, GenerationResult, GenerationState } from '../../../entities/Generation.ts'
import { type Context, transaction } from '../../context.ts'
import { invariant } from '../../invariant.ts'
import { enqueue } from '../../queue.ts'
import { statement } from '../../sql.ts'
import { type BreakerOutcome, recordBreakerOutcome } from '../../vendors/recordBreakerOutcome.ts'
import { recordEvent } from '../../webhooks/deliveries/recordEvent.ts'
import { linkHolderOfKey } from '../links/resultLink.ts'
import { presentGeneration } from '../reading/presentGeneration.ts'
import { findGeneration } from '../reading/readGeneration.ts'
import { startedWorkFlag } from '../steps/queueStep.ts'
import { isCharged, statesBefore, type TransitionActor } from '../transitions.ts'

/**
 * How a generation ends, and by whom. `from`: only from this state. `fence`: the claim of a job; other actors have none.
 * `cleanup`: what to remove afterwards: `work` at the provider, stored `objects` without a result.
 */
export type Ending = {
  by: TransitionActor
  from?: GenerationState
  fence?: number
  cleanup?: readonly Cleanup[]
  breakerOutcome?: BreakerOutcome | undefined
} & ({ to: 'ready'; result: GenerationResult } | { to: 'failed'; failure: Failure } | { to: 'cancelled' })
export type Cleanup = 'work' | 'objects'

/** A job that lost its claim may still store its result late. */
const orphanSweepDelaySeconds = 3600

const endOne = statement<{ ended: boolean }>(
  'end_generation_once',
  'select end_generation($1, $2::text[], $3, $4, $5, $6::jsonb, $7::jsonb) as ended',
)

/**
 * Ends a generation: state, settlement, ledger, event and cleanup jobs in one transaction, by compare-and-set from the states that
 * transitions.ts allows. Charges the price held for ready, nothing for failed, and by its state for cancelled. Returns the ended row;
 * `undefined` when another transition came first. `inTransaction` runs in the same transaction.
 * Locks: generation, account, key, webhook subscriptions, breakers. Contract: docs/contract.md#states, docs/contract.md#charges.
 */
export async function endGeneration(
  context: Context,
  id: string,
  ending: Ending,
  inTransaction?: (inside: Context, ended: Generation) => Promise<void>,
): Promise<Generation | undefined> {
  return transaction(context, (inside) => endInTransaction(inside, id, ending, inTransaction))
}

/** As {@link endGeneration}, in the transaction of `inside`. */
export async function endInTransaction(
  inside: Context,
  id: string,
  ending: Ending,
  inTransaction?: (inside: Context, ended: Generation) => Promise<void>,
): Promise<Generation | undefined> {
  const ended = (await tryEndFrom(inside, id, ending, { charge: false })) || (await tryEndFrom(inside, id, ending, { charge: true }))
  if (!ended) return undefined
  const row = await findGeneration(inside, id)
  invariant(row, 'the ended generation exists')
  // Before the first attempt there is no work at a provider and no object.
  if (row.attempt > 0) await queueCleanup(inside, row, ending.cleanup ?? [])
  await recordEndEvent(inside, row)
  await inTransaction?.(inside, row)
  // Last, since all work of the family contends for this lock.
  if (ending.breakerOutcome) await recordBreakerOutcome(inside, id, ending.breakerOutcome)
  return row
}

/** Called for free states first, then for charged ones. States only advance, so no transition between the two calls is missed. */
async function tryEndFrom(inside: Context, id: string, ending: Ending, { charge }: { charge: boolean }): Promise<boolean> {
  const { to, by, fence } = ending
  const from = (ending.from ? [ending.from] : statesBefore(to, by)).filter((state) => isCharged(to, state) === charge)
  if (from.length === 0) return false
  const result = to === 'ready' ? JSON.stringify(ending.result) : null
  const failure = to === 'failed' ? JSON.stringify(ending.failure) : null
  return (await inside.sql.one(endOne, [id, from, to, fence ?? null, charge, result, failure]))?.ended ?? false
}

/** Records the event of an ended generation, in the transaction that ends it. `options`: those of {@link recordEvent}. */
export async function recordEndEvent(inside: Context, row: Generation, options?: { only: 'callback' }): Promise<void> {
  const present = (holder: { keyExpiresAt: Date | null } | { subscriptionId: string }) => {
    const linkHolder =
      'subscriptionId' in holder ? ({ kind: 'subscription', ...holder } as const) : linkHolderOfKey(row.keyId, holder.keyExpiresAt)
    return presentGeneration(inside, row, linkHolder)
  }
  await recordEvent(inside, row, present, options)
}

/** Queues what is left to remove after the end, in the transaction that ends the generation. */
export async function queueCleanup(inside: Context, row: Generation, cleanup: readonly Cleanup[]): Promise<void> {
  if (cleanup.includes('work')) await queueProviderCancel(inside, row)
  if (cleanup.includes('objects'))
    await enqueue(inside, 'removeOrphans', { generationId: row.id }, { key: `late:${row.id}`, delaySeconds: orphanSweepDelaySeconds })
}

/** Queues the cancel at the provider, in the transaction that ends the generation. */
async function queueProviderCancel(inside: Context, { id, familyId }: { id: string; familyId: string }): Promise<void> {
  await enqueue(inside, 'cancelAtProvider', { generationId: id }, { key: `cancel:${id}`, flags: [startedWorkFlag(familyId)] })
}
