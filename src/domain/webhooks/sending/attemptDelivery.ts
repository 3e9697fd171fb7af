import type { Readable } from 'node:stream'
import { limits } from '../../../contract/limits.ts'
import { callerResolver } from '../../../network/callerResolver.ts'
import type { ConnectionPool } from '../../../network/connectionPool.ts'
import { FetchFailure } from '../../../network/fetchFailure.ts'
import { type GuardedAnswer, guardedFetch } from '../../../network/guardedFetch.ts'
import { signWebhook } from '../../../secrets/signWebhook.ts'
import type { Context } from '../../context.ts'
import { addressRules } from '../addressRules.ts'
import { openSecrets } from '../subscriptions/signingSecrets.ts'
import { type BegunAttempt, interruptedMessage } from './beginAttempts.ts'
import type { AttemptReport } from './endAttempts.ts'
import { retryDelaySeconds } from './retryDelay.ts'

/** Another process may have the right key. */
const missingSecretRetrySeconds = 10

export type AttemptOptions = {
  signal: AbortSignal
  connections: ConnectionPool
  /** Default: the limit of the contract. */
  answerSeconds?: number
}

type SendResult = { responseCode: number | null; start: Buffer | null; refusal: string | null }

/**
 * Makes one begun attempt: sends the stored body, signed now, to the address as it resolves and is checked now. Only a 2xx is a success.
 * `answerSeconds` limits the whole attempt. At most 64 KiB of the reply are read. An attempt that `signal` aborts does not count
 * and is due again at once. Failures of the receiver are returned, not thrown. Contract: docs/contract.md#signature, docs/contract.md#retries.
 */
export async function attemptDelivery(
  context: Context,
  begun: BegunAttempt,
  { signal, connections, answerSeconds = limits.webhookAnswerSeconds }: AttemptOptions,
): Promise<AttemptReport> {
  const started = performance.now()
  const toReport = (result: SendResult) => ({
    deliveryId: begun.deliveryId,
    number: begun.number,
    tookSeconds: (performance.now() - started) / 1000,
    responseCode: result.responseCode,
    start: result.start,
  })
  const secrets = openSecrets(context.ring, { id: begun.subscriptionId, secret: begun.secret, olderSecret: begun.olderSecret })
  if (!secrets) {
    context.log.error(
      { subscriptionId: begun.subscriptionId },
      'SECRET_KEY cannot decrypt the signing secret; the delivery waits, because nothing is sent unsigned',
    )
    return { ...toReport(noResponse), outcome: 'held', pauseSeconds: missingSecretRetrySeconds }
  }
  const headers = headersOf(begun, secrets)
  const result = await send(context, begun, { headers, signal, connections, answerSeconds })
  if (result === 'cut') return { ...toReport(noResponse), outcome: 'cut', refusal: interruptedMessage, pauseSeconds: 0 }
  if (result.refusal === null) return { ...toReport(result), outcome: 'delivered' }
  const pauseSeconds = retryDelaySeconds(context.settings.webhookFirstRetrySeconds, begun.retriesLeft)
  return { ...toReport(result), outcome: 'failed', refusal: result.refusal, pauseSeconds }
}

const noResponse: SendResult = { responseCode: null, start: null, refusal: null }

function headersOf(begun: BegunAttempt, secrets: string[]): Record<string, string> {
  const timestampSeconds = Math.floor(begun.begunAt.getTime() / 1000)
  return {
    'content-type': 'application/json; charset=utf-8',
    ...signWebhook({ secrets, body: begun.body, timestampSeconds, id: begun.deliveryId }),
    ...(begun.isTest ? { 'X-Atelier-Test': '1' } : {}),
  }
}

async function send(
  context: Context,
  begun: BegunAttempt,
  { headers, signal, connections, answerSeconds }: Required<AttemptOptions> & { headers: Record<string, string> },
): Promise<SendResult | 'cut'> {
  try {
    const answer = await guardedFetch({
      ...addressRules(context, callerResolver.for(begun.subscriptionId)),
      url: begun.address,
      method: 'POST',
      headers,
      body: begun.body,
      redirectsMax: 0,
      deadlineSeconds: answerSeconds,
      // A longer reply is not a failure; the rest is not read.
      bodyBytesMax: Number.MAX_SAFE_INTEGER,
      answers: 'any',
      signal,
      connections,
    })
    return await readSendResult(answer)
  } catch (error) {
    if (!(error instanceof FetchFailure)) throw error
    return error.kind === 'aborted' ? 'cut' : { responseCode: error.status, start: null, refusal: error.message }
  }
}

/** The status decides, even when the body of the reply breaks off. A reply that does not end in time is a failure. */
async function readSendResult(answer: GuardedAnswer): Promise<SendResult> {
  const { start, failure } = await readStart(answer.body)
  const late = failure?.kind === 'timeout' ? failure.message : null
  return { responseCode: answer.status, start, refusal: answer.failure?.message ?? late }
}

async function readStart(body: Readable): Promise<{ start: Buffer | null; failure: FetchFailure | null }> {
  const chunks: Buffer[] = []
  let keptBytes = 0
  let readBytes = 0
  let failure: FetchFailure | null = null
  try {
    for await (const chunk of body as AsyncIterable<Buffer>) {
      readBytes += chunk.length
      const kept = Buffer.from(chunk.subarray(0, limits.webhookReplyBytesKept - keptBytes))
      keptBytes += kept.length
      chunks.push(kept)
      if (readBytes >= limits.webhookReplyBytesRead) break
    }
  } catch (error) {
    if (!(error instanceof FetchFailure)) throw error
    failure = error
  }
  return { start: keptBytes > 0 ? Buffer.concat(chunks) : null, failure }
}
