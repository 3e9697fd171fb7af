import { AsyncLocalStorage } from 'node:async_hooks'
import { setTimeout as pause } from 'node:timers/promises'
import type { Generation, GenerationResult } from '../../../entities/Generation.ts'
import { isUnavailable } from '../../accountMutex.ts'
import { type Context, transaction } from '../../context.ts'
import { invariant } from '../../invariant.ts'
import { deferJobNotices, sendJobNotice, sendNotice } from '../../sendNotice.ts'
import { statement } from '../../sql.ts'
import { type BreakerOutcome, recordBreakerOutcome } from '../../vendors/recordBreakerOutcome.ts'
import { findGeneration } from '../reading/readGeneration.ts'
import { namedInputsOf } from '../start/requestedInputs.ts'
import { statesBeforeOutputs, storeHours, type VendorCost, validCost } from '../steps/recordOutputs.ts'
import { statesBefore } from '../transitions.ts'
import { type Cleanup, endGeneration, queueCleanup, recordEndEvent } from './endGeneration.ts'
import { byAccount } from './endSerialized.ts'
import { gatherTime, noteEnds } from './gatherTime.ts'

/**
 * A stored result. The fence of `generation` is the claim of the job. `answerCost`: the result is the vendor's answer to the submit and its
 * outputs were not recorded, so the end records the cost and passes through the states before.
 */
export type ReadyEnding = {
  generation: Generation
  result: GenerationResult
  answerCost?: VendorCost
  cleanup: readonly Cleanup[]
  breakerOutcome: BreakerOutcome | undefined
}

/** `undefined`: another transition came first. `jobId`: the job of the generation, which was removed with its end. */
export type ReadyEnded = { jobId: number | undefined } | undefined

type Waiting = ReadyEnding & { resume<Result>(work: () => Result): Result; resolve(ended: ReadyEnded): void; reject(error: unknown): void }

const waitingByAccount = new Map<string, Waiting[]>()

/** More would lock the account for too long. */
const endsAtOnceMax = 50

/** Accounts whose ends had events or faults to record a moment ago. Until this time their ends skip the try without them. */
const observedUntil = new Map<string, number>()
const observedMs = 10_000
const observedMax = 1_000

/**
 * finalizing → ready, for an answer also from queued or running: charges the price, records the event and removes the job of the
 * generation. Generations of one account that are ready within a few milliseconds, or while an end of that account runs, are ended
 * together. An end that fails does not affect the others. An answer that cannot be ended together with others is not ended: record its
 * outputs first. Locks: those of endGeneration, and the job. Contract: docs/contract.md#states, docs/contract.md#charges.
 */
export function endReady(context: Context, ending: ReadyEnding): Promise<ReadyEnded> {
  const { accountId, ownerId } = ending.generation
  // The end of a generation with inputs locks files.
  if (accountId === null || namedInputsOf(ending.generation.inputs).length > 0) {
    return byAccount(accountId ?? ownerId, () => endAlone(context, ending))
  }
  return new Promise((resolve, reject) => {
    const own: Waiting = { ...ending, resume: AsyncLocalStorage.snapshot(), resolve, reject }
    waitingByAccount.set(accountId, [...(waitingByAccount.get(accountId) ?? []), own])
    byAccount(accountId, () => endWaiting(context, accountId)).catch((error: unknown) => {
      removeFromQueue(accountId, own)
      reject(error)
    })
  })
}

/** Dequeues a batch, each generation once: after a failover two jobs may have the same claim, and only one of them may end it. */
function dequeueBatch(accountId: string): Waiting[] {
  const batch = new Map<string, Waiting>()
  const rest: Waiting[] = []
  for (const each of waitingByAccount.get(accountId) ?? []) {
    const { id } = each.generation
    if (batch.size >= endsAtOnceMax || batch.has(id)) rest.push(each)
    else batch.set(id, each)
  }
  setQueue(accountId, rest)
  return [...batch.values()]
}

function removeFromQueue(accountId: string, own: Waiting): void {
  const rest = waitingByAccount.get(accountId)?.filter((each) => each !== own)
  setQueue(accountId, rest ?? [])
}

function setQueue(accountId: string, rest: Waiting[]): void {
  if (rest.length > 0) waitingByAccount.set(accountId, rest)
  else waitingByAccount.delete(accountId)
}

/**
 * Ends one batch of the queued generations, if any are left. It runs once for each queued generation, under the mutex of the account, so
 * the queue always empties. Cancels and failures of the account run between the batches.
 */
async function endWaiting(context: Context, accountId: string): Promise<void> {
  if (!waitingByAccount.has(accountId)) return
  await pause(gatherTime(accountId))
  const batch = dequeueBatch(accountId)
  if (batch.length > 0) await endBatch(context, accountId, batch.toSorted(byOwnerAndFamily)).finally(() => noteEnds(accountId))
}

/** One order for the rows that ends of several accounts share: subscriptions of the owner, breakers of the family. */
function byOwnerAndFamily({ generation: left }: Waiting, { generation: right }: Waiting): number {
  const [one, other] = [left, right].map(({ ownerId, familyId }) => `${ownerId} ${familyId}`) as [string, string]
  return one < other ? -1 : Number(one > other)
}

async function endBatch(context: Context, accountId: string, batch: Waiting[]): Promise<void> {
  try {
    const ended = await endTogether(context, accountId, batch)
    for (const each of batch) each.resolve(ended.get(each.generation.id))
  } catch (error) {
    if (!isUnavailable(error)) {
      if (batch.length === 1) return batch[0]?.reject(error)
      for (const each of batch) await endAlone(context, each).then(each.resolve, each.reject)
      return
    }
    for (const each of batch) each.reject(error)
    throw error
  }
}

async function endAlone(context: Context, { generation, answerCost, ...ending }: ReadyEnding): Promise<ReadyEnded> {
  if (answerCost) return undefined
  const { id, fence } = generation
  const ended = await endGeneration(context, id, { by: 'job', to: 'ready', fence, ...ending })
  return ended && { jobId: undefined }
}

const endUnobserved = statement<{ generation: string | null; jobId: number | null; isObserved: boolean }>(
  'end_unobserved_results',
  `select generation, job_id, is_observed
     from end_unobserved_results($1, $2::text[], $3::text[], $4::integer[], $5::text[], $6::text[], $7::text[], $8::text[], $9)`,
)

type Ended = Map<string, { jobId: number | undefined }>

/** Ends a batch to which no event, fault or cleanup belongs, in one statement. `undefined`, without a change, for any other batch. */
async function endPlainly(context: Context, accountId: string, batch: readonly Waiting[]): Promise<Ended | undefined> {
  if ((observedUntil.get(accountId) ?? 0) > performance.now() || batch.some(({ cleanup }) => cleanup.length > 0)) return undefined
  const owners = [...new Set(batch.map(({ generation }) => generation.ownerId))]
  const rows = await context.sql.all(endUnobserved, [accountId, owners, ...valuesOf(batch)])
  if (rows.some(({ isObserved }) => isObserved)) {
    if (observedUntil.size >= observedMax) observedUntil.clear()
    observedUntil.set(accountId, performance.now() + observedMs)
    return undefined
  }
  return new Map(rows.flatMap(({ generation, jobId }) => (generation === null ? [] : [[generation, { jobId: jobId ?? undefined }]])))
}

function valuesOf(batch: readonly Waiting[]): unknown[] {
  return [
    batch.map(({ generation }) => generation.id),
    batch.map(({ generation }) => generation.fence),
    batch.map(({ result }) => JSON.stringify(result)),
    batch.map(({ answerCost }) => answerCost && JSON.stringify(validCost(answerCost))),
    statesBefore('ready', 'job'),
    statesBeforeOutputs,
    storeHours,
  ]
}

type EndedRow = { generation: string; jobId: number | null; isSubscribed: boolean; hasFaults: boolean }

const endAll = statement<EndedRow>(
  'end_stored_results',
  `select generation, job_id, is_subscribed, has_faults
     from ${deferJobNotices}, end_stored_results($1, $2::text[], $3::integer[], $4::text[], $5::text[], $6::text[], $7::text[], $8)`,
)

async function endTogether(context: Context, accountId: string, batch: readonly Waiting[]): Promise<Ended> {
  const ended = (await endPlainly(context, accountId, batch)) ?? (await endWithEvents(context, accountId, batch))
  for (const id of ended.keys()) sendNotice(context, 'generation', id)
  return ended
}

async function endWithEvents(context: Context, accountId: string, batch: readonly Waiting[]): Promise<Ended> {
  const rows = await transaction(context, async (inside) => {
    const ended = new Map((await inside.sql.all(endAll, [accountId, ...valuesOf(batch)])).map((row) => [row.generation, row]))
    for (const each of batch) {
      const row = ended.get(each.generation.id)
      if (row) await each.resume(() => recordEnd(inside, each, row))
    }
    // Last, since all work of a family contends for these locks.
    for (const { generation, breakerOutcome } of batch) {
      if (breakerOutcome && ended.get(generation.id)?.hasFaults) await recordBreakerOutcome(inside, generation.id, breakerOutcome)
    }
    return [...ended.values()]
  })
  sendJobNotice(context)
  return new Map(rows.map(({ generation, jobId }) => [generation, { jobId: jobId ?? undefined }]))
}

async function recordEnd(inside: Context, { generation, cleanup }: ReadyEnding, { isSubscribed }: EndedRow): Promise<void> {
  await queueCleanup(inside, generation, cleanup)
  if (!isSubscribed) return
  const row = await findGeneration(inside, generation.id)
  invariant(row, 'the ended generation exists')
  await recordEndEvent(inside, row)
}
