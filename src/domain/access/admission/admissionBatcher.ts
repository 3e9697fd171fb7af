import { makeBatchLoop } from '../../../concurrency/batchLoop.ts'
import { isId } from '../../../contract/ids.ts'
import { Refusal } from '../../../contract/refusals/refusals.ts'
import { readApiKey } from '../../../secrets/apiKeyText.ts'
import { tracedChild, untraced } from '../../../tracing/tracing.ts'
import type { Sql } from '../../sql.ts'
import { type AdmissionRequest, type AdmissionResult, admitRequests } from './admitRequests.ts'
import { makeAnonymousCounters } from './anonymousCounters.ts'
import { concurrencySlots, reportHeldSlots } from './concurrencySlots.ts'
import { countExtraRequests, type ExtraRequestCount } from './countExtraRequests.ts'

/** What one request met at the gate. `slotGranted` is false for requests without a valid key: they hold none. */
export type Admission = AdmissionResult & {
  /** Of the key's value that was presented. */
  valueHash: Buffer | undefined
  /** Gives the slot back; harmless when repeated. */
  releaseSlot(): void
}

export type AdmissionBatcher = {
  /**
   * `key`: the text presented as one, if any. `generationId`: what the request is about, read on the way if it is the key's own.
   * Refusals: service_unavailable while the database does not answer.
   */
  admit(key: string | undefined, address: string, generationId?: string): Promise<Admission>
  /** The same for a request in a session, by its digest: all of the person's sessions count together, and apart from their keys. */
  admitSession(digest: Buffer | undefined, address: string): Promise<Admission>
  /** Counts so many more requests of a person in a session, who has been let in: for a document that does the work of several. */
  countExtraRequests(userId: string, requests: number): Promise<ExtraRequestCount>
  /** Gives every slot of this process back; nobody is let in any more. */
  close(): Promise<void>
}

export type AdmissionBatcherOptions = {
  sql: Sql
  processId: string
  clock: { now(): Date }
  /** Slots of one subject over all processes. */
  requestsInProgress: number
  onError(error: unknown): void
}

type Waiting = AdmissionRequest & { client: string; resolve(admitted: Admission): void; reject(error: unknown): void }

/** Slots are given back together when nobody who asks takes them along. */
const releaseFlushMs = 20
/** After a failure the next look at the database, when nobody asks before. */
const retryMs = 1000

/**
 * The gate that every public request passes: finds the key by its hash and counts the request and its slot, per user over
 * all keys and processes. Requests that arrive together share one statement, and so do the slots that became free; statements follow
 * one another, so that only one of them can ever be in doubt.
 * Contract: docs/contract.md#authentication, docs/contract.md#rate-and-concurrency.
 */
export function makeAdmissionBatcher(options: AdmissionBatcherOptions): AdmissionBatcher {
  const { sql, processId, clock, requestsInProgress: slotsMax, onError } = options
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
      // Whoever came meanwhile would wait as long again for the same.
      const refused = [...batch, ...drainWaiting()]
      if (refused.length === 0) onError(error)
      for (const { reject } of refused) reject(error)
      return retryMs
    }
  })

  async function admitBatch(batch: Waiting[]): Promise<void> {
    const counted = await admitRequests(sql, batch, { freed: slots.drainReleased(), processId, minute: minuteOf(clock), slotsMax })
    for (const [index, each] of counted.entries()) {
      if (!each.key && !each.session) anonymousCounters.track(batch[index]?.client ?? '')
      batch[index]?.resolve({
        ...each,
        valueHash: batch[index].hash,
        releaseSlot: each.slotGranted ? slots.acquire(each.subject) : () => undefined,
      })
    }
  }

  const join = (client: string, asking: Pick<AdmissionRequest, 'hash' | 'generationId' | 'session'>) =>
    // The statement is of many; each has waited for it.
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
      return join(address, { hash, generationId: generationId !== undefined && isId('gen', generationId) ? generationId : undefined })
    },
    admitSession: (digest, address) => join(address, { hash: undefined, session: digest }),
    countExtraRequests: (userId, requests) => countExtraRequests(sql, { userId, requests, processId, minute: minuteOf(clock), slotsMax }),
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
