import type { Pacer } from '../concurrency/pacer.ts'
import { invalidRequest, type Refusal } from '../contract/refusals.ts'
import type { AnswerMeter } from '../schema/context.ts'
import { answerBytes } from './documentLimits.ts'

/**
 * The meter of one operation. `signal` aborts once the answer is too long: its reason is the refusal. `length` is about how many
 * characters there are so far.
 */
export type OperationMeter = AnswerMeter & { signal: AbortSignal; length(): number }

/** `pacer` is shared by all operations of the process. Refusals of `add` and `rest`: invalid_request at `query`. */
export function meterAnswer(pacer: Pacer): OperationMeter {
  const over = new AbortController()
  let characters = 0
  return {
    signal: over.signal,
    length: () => characters,
    add(more) {
      characters += more
      if (characters <= answerBytes) return
      if (!over.signal.aborted) over.abort(answerTooLong())
      throw over.signal.reason
    },
    async rest() {
      await pacer.rest()
      over.signal.throwIfAborted()
    },
  }
}

/** What a caller is told whose answer would be longer than an answer may be. */
export function answerTooLong(): Refusal {
  const most = answerBytes.toLocaleString('en')
  const message = `The answer is longer than ${most} bytes: ask for shorter pages, or for fewer of the long fields.`
  return invalidRequest({ in: 'body', path: ['query'], code: 'too_big', message })
}
