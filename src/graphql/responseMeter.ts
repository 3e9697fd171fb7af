import type { CooperativeScheduler } from '../concurrency/cooperativeScheduler.ts'
import { invalidRequest, type Refusal } from '../contract/refusals/refusals.ts'
import type { ResponseMeter } from '../schema/core/context.ts'
import { responseBytesMax } from './documentLimits.ts'

/**
 * The meter of one operation. `signal` aborts with the refusal as reason when the response is too long. `length` is the approximate number
 * of characters so far.
 */
export type OperationMeter = ResponseMeter & { signal: AbortSignal; length(): number }

/** `scheduler` is shared by all operations of the process. Refusals of `add` and `waitForSlice`: invalid_request at `query`. */
export function makeResponseMeter(scheduler: CooperativeScheduler): OperationMeter {
  const over = new AbortController()
  let characters = 0
  return {
    signal: over.signal,
    length: () => characters,
    add(more) {
      characters += more
      if (characters <= responseBytesMax) return
      if (!over.signal.aborted) over.abort(responseTooLong())
      throw over.signal.reason
    },
    async waitForSlice() {
      await scheduler.waitForSlice()
      over.signal.throwIfAborted()
    },
  }
}

/** The refusal of a response that is too long. */
export function responseTooLong(): Refusal {
  const most = responseBytesMax.toLocaleString('en')
  const message = `The response is longer than ${most} bytes. Request shorter pages, or fewer long fields.`
  return invalidRequest({ in: 'body', path: ['query'], code: 'too_big', message })
}
