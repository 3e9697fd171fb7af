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
import { familyFlag } from '../steps/queueStep.ts'
import { isCharged, statesBefore, type TransitionActor } from '../transitions.ts'

/**
 * How a generation ends, and by whom. `from`: out of this state only. `fence`: of the job that speaks; others have none.
 * `leaves`: what may go on or lie about after this end, and is seen to once it stands: work at the provider, stored objects of jobs
 * that came to nothing. `verdict`: what it says of who made it.
 */
export type Ending = {
  by: TransitionActor
  from?: GenerationState
  fence?: number
  leaves?: readonly Cleanup[]
  verdict?: BreakerOutcome | undefined
} & ({ to: 'ready'; result: GenerationResult } | { to: 'failed'; failure: Failure } | { to: 'cancelled' })
export type Cleanup = 'work' | 'objects'

/** A job that was taken over may come back to life and store its result late. */
const orphanSweepDelaySeconds = 3600

const endOne = statement<{ ended: boolean }>(
  'end_generation_once',
  'select end_generation($1, $2::text[], $3, $4, $5, $6::jsonb, $7::jsonb) as ended',
)

/**
 * The one way in which a generation ends: state, settlement, ledger, notices and what is left to do of one transaction, by
 * compare-and-set out of the states that transitions.ts allows. A ready one is charged the price held, a failed one nothing, a
 * cancelled one as the state that it is in says. Returns the ended row, `undefined` when another move was first. `alongside` runs in the
 * same transaction.
 * Locks: generation, account, key, webhook subscriptions, breakers. Contract: docs/contract.md#states, docs/contract.md#charges.
 */
export async function endGeneration(
  context: Context,
  id: string,
  ending: Ending,
  inTransaction?: (inside: Context, ended: Generation) => Promise<void>,
): Promise<Generation | undefined> {
  return transaction(context, async (inside) => {
    const ended = (await tryEndFrom(inside, id, ending, { charge: false })) || (await tryEndFrom(inside, id, ending, { charge: true }))
    if (!ended) return undefined
    const row = await findGeneration(inside, id)
    invariant(row, 'what has just ended is there')
    // Before the first attempt nobody out there has heard of it.
    if (row.attempt > 0) await queueCleanup(inside, row, ending.leaves ?? [])
    await recordEvent(inside, row, (subscriptionId) =>
      presentGeneration(inside, row, subscriptionId === null ? linkHolderOfKey(row.keyId) : { kind: 'subscription', subscriptionId }),
    )
    await inTransaction?.(inside, row)
    // The last, since everybody of the family may wait for it.
    if (ending.verdict) await recordBreakerOutcome(inside, id, ending.verdict)
    return row
  })
}

/** States only go forward: those that cost nothing come before those that are charged, so that no move in between is missed. */
async function tryEndFrom(inside: Context, id: string, ending: Ending, { charge }: { charge: boolean }): Promise<boolean> {
  const { to, by, fence } = ending
  const from = (ending.from ? [ending.from] : statesBefore(to, by)).filter((state) => isCharged(to, state) === charge)
  if (from.length === 0) return false
  const result = to === 'ready' ? JSON.stringify(ending.result) : null
  const failure = to === 'failed' ? JSON.stringify(ending.failure) : null
  return (await inside.sql.one(endOne, [id, from, to, fence ?? null, charge, result, failure]))?.ended ?? false
}

async function queueCleanup(inside: Context, row: Generation, leaves: readonly Cleanup[]): Promise<void> {
  if (leaves.includes('work')) await queueProviderCancel(inside, row)
  if (leaves.includes('objects'))
    await enqueue(inside, 'removeOrphans', { generationId: row.id }, { key: `late:${row.id}`, delaySeconds: orphanSweepDelaySeconds })
}

/** Queues the word to the provider that work is no longer wanted, in the transaction that ends it. */
export async function queueProviderCancel(inside: Context, { id, familyId }: { id: string; familyId: string }): Promise<void> {
  await enqueue(inside, 'cancelAtProvider', { generationId: id }, { key: `cancel:${id}`, flags: [familyFlag(familyId)] })
}
