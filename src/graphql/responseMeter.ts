import type { CooperativeScheduler } from '../concurrency/cooperativeScheduler.ts'
import { invalidRequest, type Refusal } from '../contract/refusals/refusals.ts'
import type { ResponseMeter } from '../schema/core/context.ts'
import { responseBytesMax } from './documentLimits.ts'

/**
 * The meter of one operation. `signal` aborts once the answer is too long: its reason is the refusal. `length` is about how many
 * characters there are so far.
 */
export type OperationMeter = ResponseMeter & { signal: AbortSignal; length(): number }

/** `pacer` is shared by all operations of the process. Refusals of `add` and `waitForSlice`: invalid_request at `query`. */
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

/** What a caller is told whose answer would be longer than an answer may be. */
export function responseTooLong(): Refusal {
  const most = responseBytesMax.toLocaleString('en')
  const message = `The answer is longer than ${most} bytes: ask for shorter pages, or for fewer of the long fields.`
  return invalidRequest({ in: 'body', path: ['query'], code: 'too_big', message })
}
