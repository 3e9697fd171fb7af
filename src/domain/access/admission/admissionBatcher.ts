import { makeBatchLoop } from '../../../concurrency/batchLoop.ts'
import { isId } from '../../../contract/ids.ts'
import { Refusal } from '../../../contract/refusals/refusals.ts'
import { readApiKey } from '../../../secrets/apiKeyText.ts'
import { tracedChild, untraced } from '../../../tracing/tracing.ts'
import { invariant } from '../../invariant.ts'
import { type Sql, statement } from '../../sql.ts'
import { type AdmissionRequest, type AdmissionResult, admitRequests, type RequestLimits } from './admitRequests.ts'
import { makeAnonymousCounters } from './anonymousCounters.ts'
import { concurrencySlots, reportHeldSlots } from './concurrencySlots.ts'

/** The admission of one request. `slotGranted` is false for requests without a valid key or session, which get no slot. */
export type Admission = AdmissionResult & {
  /** The hash of the presented key value. */
  valueHash: Buffer | undefined
  /** Releases the slot. A second call does nothing. */
  releaseSlot(): void
}

export type AdmissionBatcher = {
  /**
   * `key`: the presented text, if any. `generationId`: the generation of the request, read in the same statement if the key owns it.
   * Refusals: service_unavailable while the database does not answer.
   */
  admit(key: string | undefined, address: string, generationId?: string): Promise<Admission>
  /** The same for a request with a session, by its digest. All sessions of a person count together, separately from their keys. */
  admitSession(digest: Buffer | undefined, address: string): Promise<Admission>
  /** Counts more requests of an admitted caller, for a GraphQL document or a batch that does the work of several requests. */
  countExtraRequests(subject: string, requests: number): Promise<ExtraRequestCount>
  /** Releases every slot of this process and refuses later requests. */
  close(): Promise<void>
}

export type AdmissionBatcherOptions = {
  sql: Sql
  processId: string
  clock: { now(): Date }
  /** The limits of users without a tier and of addresses, over all processes. */
  limits: RequestLimits
  onError(error: unknown): void
}

type Waiting = AdmissionRequest & { client: string; resolve(admitted: Admission): void; reject(error: unknown): void }

/** Released slots are flushed after this time if no admission carries them to the database before. */
const releaseFlushMs = 20
/** Pause before the database is tried again after a failure, unless a request arrives before. */
const retryMs = 1000

/**
 * Admits every public request: finds the key by its hash and counts the request and its slot, per user over all keys and processes.
 * Concurrent requests, and the slots released meanwhile, share one statement. Statements run one after another, so that the outcome of
 * at most one statement can be unknown.
 * Contract: docs/contract.md#authentication, docs/contract.md#rate-and-concurrency.
 */
export function makeAdmissionBatcher(options: AdmissionBatcherOptions): AdmissionBatcher {
  const { sql, processId, clock, limits, onError } = options
  const slots = concurrencySlots({ sql, processId, onReleased: () => loop.within(releaseFlushMs) })
  const anonymousCounters = makeAnonymousCounters(clock)
  let waiting: Waiting[] = []
  let closed = false
  const drainWaiting = () => {
    const taken = waiting
    waiting = []
    return taken
  }

  const loop = makeBatchLoop(async () => {
    const batch = drainWaiting()
    try {
      const inDoubt = await slots.resync()
      if (batch.length > 0 || slots.hasReleased()) await admitBatch(batch)
      return inDoubt ? retryMs : undefined
    } catch (error) {
      slots.doubt()
      // Requests that arrived meanwhile would wait as long again for the same failure.
      const refused = [...batch, ...drainWaiting()]
      if (refused.length === 0) onError(error)
      for (const { reject } of refused) reject(error)
      return retryMs
    }
  })

  async function admitBatch(batch: Waiting[]): Promise<void> {
    const counted = await admitRequests(sql, batch, { freed: slots.drainReleased(), processId, minute: minuteOf(clock), limits })
    for (const [index, each] of counted.entries()) {
      if (!each.key && !each.session) anonymousCounters.track(batch[index]?.client ?? '')
      batch[index]?.resolve({
        ...each,
        valueHash: batch[index].hash,
        releaseSlot: each.slotGranted ? slots.acquire(each.subject) : () => undefined,
      })
    }
  }

  const enqueue = (client: string, asking: Pick<AdmissionRequest, 'hash' | 'generationId' | 'session'>) =>
    // One span for each request, although they share the statement.
    tracedChild('admit_requests', { kind: 'client' }, () => {
      return new Promise<Admission>((resolve, reject) => {
        if (closed) return reject(new Refusal('service_unavailable'))
        waiting.push({ ...asking, address: anonymousCounters.counterOf(client), client, resolve, reject })
        untraced(loop.soon)
      })
    })

  return {
    admit: (key, address, generationId) => {
      const hash = key === undefined ? undefined : readApiKey(key)
      return enqueue(address, { hash, generationId: generationId !== undefined && isId('gen', generationId) ? generationId : undefined })
    },
    admitSession: (digest, address) => enqueue(address, { hash: undefined, session: digest }),
    countExtraRequests: (subject, requests) => countExtraRequests(sql, { subject, requests, processId, minute: minuteOf(clock), limits }),
    close: async () => {
      closed = true
      await loop.stop()
      await reportHeldSlots(sql, processId, []).catch(onError)
    },
  }
}

function minuteOf(clock: AdmissionBatcherOptions['clock']): number {
  return Math.floor(clock.now().getTime() / 60_000)
}

type Row = { requestsCounted: number; slotsUsed: number; windowCounted: string; perMinute: number; inProgress: number }

const countAgain = statement<Row>(
  'count_more_requests',
  `select requests_counted, slots_used, window_counted, per_minute, in_progress
     from request_limits(split_part($1, ':', 2), $5, $6), count_requests($1, $2, $3, $4, 0, 0, in_progress)`,
)

/** `windowEndsAt` in Unix seconds. */
type ExtraRequestCount = Pick<AdmissionResult, 'requestsCounted' | 'slotsUsed' | 'limits' | 'windowEndsAt'>

/** `subject`: the user or session that a request was counted for. */
type More = { subject: string; requests: number; processId: string; minute: number; limits: RequestLimits }

/**
 * Counts `requests` more requests of an admitted caller. Takes no slots.
 * Contract: docs/contract.md#rate-and-concurrency.
 */
async function countExtraRequests(sql: Sql, { subject, requests, processId, minute, limits }: More): Promise<ExtraRequestCount> {
  const { requestsPerMinute: perMinute, requestsInProgress: inProgress } = limits
  const row = await sql.one(countAgain, [subject, processId, minute, requests, perMinute, inProgress])
  invariant(row, 'count_requests returns one row')
  const own = { requestsPerMinute: row.perMinute, requestsInProgress: row.inProgress }
  const { requestsCounted, slotsUsed, windowCounted } = row
  return { requestsCounted, slotsUsed, limits: own, windowEndsAt: (Number(windowCounted) + 1) * 60 }
}
