import { makeBatchLoop } from '../../concurrency/batchLoop.ts'
import { isId } from '../../contract/ids.ts'
import { Refusal } from '../../contract/refusals.ts'
import { readApiKey } from '../../secrets/apiKeyText.ts'
import { tracedWithin, untraced } from '../../tracing/tracing.ts'
import type { Sql } from '../sql.ts'
import { type Asking, admitRequests, type Counted } from './admitRequests.ts'
import { type CountedMore, countMore } from './countMore.ts'
import { heldSlots, sayHeld } from './heldSlots.ts'
import { makeStrangers } from './strangers.ts'

/** What one request met at the gate. `slotGranted` is false for requests without a valid key: they hold none. */
export type Admitted = Counted & {
  /** Of the key's value that was presented. */
  valueHash: Buffer | undefined
  /** Gives the slot back; harmless when repeated. */
  leave(): void
}

export type RequestGate = {
  /**
   * `key`: the text presented as one, if any. `generationId`: what the request is about, read on the way if it is the key's own.
   * Refusals: service_unavailable while the database does not answer.
   */
  admit(key: string | undefined, address: string, generationId?: string): Promise<Admitted>
  /** The same for a request in a session, by its digest: all of the person's sessions count together, and apart from their keys. */
  admitSession(digest: Buffer | undefined, address: string): Promise<Admitted>
  /** Counts so many more requests of a person in a session, who has been let in: for a document that does the work of several. */
  countMore(userId: string, requests: number): Promise<CountedMore>
  /** Gives every slot of this process back; nobody is let in any more. */
  close(): Promise<void>
}

export type GateOptions = {
  sql: Sql
  processId: string
  clock: { now(): Date }
  /** Slots of one subject over all processes. */
  requestsInProgress: number
  onError(error: unknown): void
}

type Waiting = Asking & { client: string; resolve(admitted: Admitted): void; reject(error: unknown): void }

/** Slots are given back together when nobody who asks takes them along. */
const freePauseMs = 20
/** After a failure the next look at the database, when nobody asks before. */
const retryMs = 1000

/**
 * The gate that every public request passes: finds the key by its hash and counts the request and its slot, per user over
 * all keys and processes. Requests that arrive together share one statement, and so do the slots that became free; statements follow
 * one another, so that only one of them can ever be in doubt.
 * Contract: docs/contract.md#authentication, docs/contract.md#rate-and-concurrency.
 */
export function makeRequestGate({ sql, processId, clock, requestsInProgress: slotsMax, onError }: GateOptions): RequestGate {
  const slots = heldSlots({ sql, processId, onFreed: () => loop.within(freePauseMs) })
  const strangers = makeStrangers(clock)
  let waiting: Waiting[] = []
  let closed = false
  const takeWaiting = () => {
    const taken = waiting
    waiting = []
    return taken
  }

  const loop = makeBatchLoop(async () => {
    const batch = takeWaiting()
    try {
      const inDoubt = await slots.settle()
      if (batch.length > 0 || slots.anyFreed()) await letIn(batch)
      return inDoubt ? retryMs : undefined
    } catch (error) {
      slots.doubt()
      // Whoever came meanwhile would wait as long again for the same.
      const refused = [...batch, ...takeWaiting()]
      if (refused.length === 0) onError(error)
      for (const { reject } of refused) reject(error)
      return retryMs
    }
  })

  async function letIn(batch: Waiting[]): Promise<void> {
    const counted = await admitRequests(sql, batch, { freed: slots.takeFreed(), processId, minute: minuteOf(clock), slotsMax })
    for (const [index, each] of counted.entries()) {
      if (!each.key && !each.session) strangers.note(batch[index]?.client ?? '')
      batch[index]?.resolve({ ...each, valueHash: batch[index].hash, leave: each.slotGranted ? slots.take(each.subject) : () => undefined })
    }
  }

  const join = (client: string, asking: Pick<Asking, 'hash' | 'generationId' | 'session'>) =>
    // The statement is of many; each has waited for it.
    tracedWithin('admit_requests', { kind: 'client' }, () => {
      return new Promise<Admitted>((resolve, reject) => {
        if (closed) return reject(new Refusal('service_unavailable'))
        waiting.push({ ...asking, address: strangers.countOf(client), client, resolve, reject })
        untraced(loop.soon)
      })
    })

  return {
    admit: (key, address, generationId) => {
      const hash = key === undefined ? undefined : readApiKey(key)
      return join(address, { hash, generationId: generationId !== undefined && isId('gen', generationId) ? generationId : undefined })
    },
    admitSession: (digest, address) => join(address, { hash: undefined, session: digest }),
    countMore: (userId, requests) => countMore(sql, { userId, requests, processId, minute: minuteOf(clock), slotsMax }),
    close: async () => {
      closed = true
      await loop.stop()
      await sayHeld(sql, processId, []).catch(onError)
    },
  }
}

function minuteOf(clock: GateOptions['clock']): number {
  return Math.floor(clock.now().getTime() / 60_000)
}
