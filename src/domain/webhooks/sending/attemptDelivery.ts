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

/** Until a process with the right key is there to sign. */
const missingSecretRetrySeconds = 10

export type AttemptOptions = {
  signal: AbortSignal
  connections: ConnectionPool
  /** The specified limit unless told otherwise. */
  answerSeconds?: number
}

type SendResult = { responseCode: number | null; start: Buffer | null; refusal: string | null }

/**
 * Makes one attempt that has begun: the stored body, signed now, to the address as it resolves and is judged now. Success is a 2xx alone;
 * `answerSeconds` limit all of it, and a reply is read as far as 64 KiB. An abort of `signal` cuts the attempt, which is then repeated.
 * Never throws for what a receiver does. Contract: docs/contract.md#signature, docs/contract.md#retries.
 */
export async function attemptDelivery(
  context: Context,
  begun: BegunAttempt,
  { signal, connections, answerSeconds = limits.webhookAnswerSeconds }: AttemptOptions,
): Promise<AttemptReport> {
  const started = performance.now()
  const told = (result: SendResult) => ({
    deliveryId: begun.deliveryId,
    number: begun.number,
    tookSeconds: (performance.now() - started) / 1000,
    responseCode: result.responseCode,
    start: result.start,
  })
  const secrets = openSecrets(context.ring, { id: begun.subscriptionId, secret: begun.secret, olderSecret: begun.olderSecret })
  if (!secrets) {
    context.log.error({ subscriptionId: begun.subscriptionId }, 'SECRET_KEY does not open the signing secret; nothing is sent unsigned')
    return { ...told(nothing), outcome: 'held', pauseSeconds: missingSecretRetrySeconds }
  }
  const headers = headersOf(begun, secrets)
  const result = await send(context, begun, { headers, signal, connections, answerSeconds })
  if (result === 'cut') return { ...told(nothing), outcome: 'cut', refusal: interruptedMessage, pauseSeconds: 0 }
  if (result.refusal === null) return { ...told(result), outcome: 'delivered' }
  const pauseSeconds = retryDelaySeconds(context.settings.webhookFirstRetrySeconds, begun.retriesLeft)
  return { ...told(result), outcome: 'failed', refusal: result.refusal, pauseSeconds }
}

const nothing: SendResult = { responseCode: null, start: null, refusal: null }

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
      // A longer reply is no fault; it is only not read.
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

/** A reply that breaks off after its status has still said what counts; one that does not end in time has not. */
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
