import { describeCause } from '../../errors/describeCause.ts'
import type { Timing } from '../../http/timing.ts'
import type { WebhookBody } from '../../openapi.ts'
import { signedHeaders } from './signature.ts'

/** Like the service: one attempt and six retries, ten seconds per attempt, and a limited part of the response is read. */
const attemptsMax = 7
const answerMs = 10_000
const answerBytesRead = 65_536
const answerCharactersShown = 120

export type ForwardOptions = {
  address: string
  secret: string
  firstRetrySeconds: number
  timing: Timing
  signal: AbortSignal
  /** Limits the number of concurrent attempts. */
  limited: <Value>(attempt: () => Promise<Value>) => Promise<Value>
  onFailure(words: string, next: { seconds: number; attempt: number; attemptsMax: number } | undefined): void
}

export type Delivered = { status: number; tookMs: number; attempts: number }

/**
 * Delivers one event to a local receiver like the service does: the same bytes, with a new signature for each attempt. A 2xx is a
 * success; redirects are not followed. Returns `undefined` when the last attempt failed. Throws when `signal` aborts.
 */
export async function forward(event: WebhookBody, options: ForwardOptions): Promise<Delivered | undefined> {
  const body = Buffer.from(JSON.stringify(event))
  for (let attempt = 1; ; attempt++) {
    options.signal.throwIfAborted()
    const outcome = await options.limited(() => send(event.id, body, options))
    options.signal.throwIfAborted()
    if (outcome.status !== undefined && outcome.words === undefined) {
      return { status: outcome.status, tookMs: outcome.tookMs, attempts: attempt }
    }
    const seconds = options.firstRetrySeconds * 2 ** (attempt - 1)
    const isLast = attempt === attemptsMax
    options.onFailure(outcome.words ?? '', isLast ? undefined : { seconds, attempt, attemptsMax })
    if (isLast) return undefined
    await options.timing.pause(seconds, options.signal)
  }
}

type AttemptOutcome = { status?: number; words?: string; tookMs: number }

async function send(id: string, body: Buffer<ArrayBuffer>, { address, secret, signal }: ForwardOptions): Promise<AttemptOutcome> {
  const headers = signedHeaders({ secret, id, body, timestampSeconds: Math.floor(Date.now() / 1000) })
  const limit = AbortSignal.timeout(answerMs)
  const begunAt = performance.now()
  const outcome = (rest: Omit<AttemptOutcome, 'tookMs'>): AttemptOutcome => ({ ...rest, tookMs: Math.round(performance.now() - begunAt) })
  try {
    const either = AbortSignal.any([signal, limit])
    const response = await fetch(address, { method: 'POST', headers, body, redirect: 'manual', signal: either })
    const start = await readStart(response)
    if (limit.aborted) return outcome({ status: response.status, words: 'answer not complete within 10 s' })
    if (response.ok) return outcome({ status: response.status })
    const reply = start.trim() === '' ? '' : `: ${start.trim().slice(0, answerCharactersShown)}`
    return outcome({ status: response.status, words: `answered ${response.status}${reply}` })
  } catch (error) {
    return outcome({ words: limit.aborted ? 'no answer within 10 s' : (describeCause(error) ?? 'no answer') })
  }
}

/** The status counts, even when the body breaks off. */
async function readStart({ body }: Response): Promise<string> {
  if (!body) return ''
  const reader = body.getReader()
  const chunks: Uint8Array[] = []
  try {
    for (let bytes = 0; bytes < answerBytesRead; ) {
      const { done, value } = await reader.read()
      if (done) break
      chunks.push(value)
      bytes += value.length
    }
  } catch {}
  reader.cancel().catch(() => undefined)
  return Buffer.concat(chunks).toString('utf8')
}
