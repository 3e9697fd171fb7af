import type { ReadyGeneration } from '../generations/expectReady.ts'
import type { Generation, GenerationFailure, WebhookBody } from '../openapi.ts'
import { WebhookNotVerifiedError } from './webhookNotVerified.ts'
import { readSignature, type WebhookHeaders } from './webhookSignature.ts'

type Endings = {
  'generation.completed': ReadyGeneration
  'generation.failed': Generation & { state: 'failed'; error: GenerationFailure }
  'generation.cancelled': Generation & { state: 'cancelled' }
}

/** An event of a webhook; `event` is the final state of the generation. */
export type WebhookEvent = {
  [Event in keyof Endings]: Omit<WebhookBody, 'event' | 'data'> & { event: Event; data: { generation: Endings[Event] } }
}[keyof Endings]

export type ReceivedWebhook = {
  /** The unparsed body, as received. */
  body: string | Uint8Array | ArrayBuffer
  headers: WebhookHeaders
  /** The printed secret, `whsec_…`; several during a rotation. */
  secrets: string | string[]
  /** The maximum age of the signature, in both directions. Default: 300. */
  toleranceSeconds?: number
  /** Unix seconds. Default: the clock of this machine. */
  now?: number
}

const defaultToleranceSeconds = 300

type Bytes = Uint8Array<ArrayBuffer>

/**
 * Verifies that a webhook is from the service and recent, by `X-Service-Signature` or by the Standard Webhooks headers, and parses its
 * event. An event may be delivered again: drop an `id` that you have already seen. Throws WebhookNotVerifiedError. Digests are compared in
 * constant time.
 */
export async function verifyWebhook(received: ReceivedWebhook): Promise<WebhookEvent> {
  const { toleranceSeconds = defaultToleranceSeconds, now = Date.now() / 1000 } = received
  const { timestamp, prefix, digests, keyOf } = readSignature(received.headers)
  if (!(Math.abs(now - Number(timestamp)) <= toleranceSeconds))
    throw new WebhookNotVerifiedError('The signature is too old or in the future.')
  const secrets = typeof received.secrets === 'string' ? [received.secrets] : received.secrets
  const body = bytesOf(received.body)
  const keys = secrets.flatMap((secret) => keyOf(secret) ?? [])
  if (!(await isSigned(joined(new TextEncoder().encode(prefix), body), digests, keys))) {
    throw new WebhookNotVerifiedError('No signature fits the body.')
  }
  return readEvent(body)
}

/** Compares every digest with every key, in constant time. The body is signed once per key, for any number of digests. */
async function isSigned(signed: Bytes, digests: Bytes[], keys: Bytes[]): Promise<boolean> {
  const hmac = { name: 'HMAC', hash: 'SHA-256' }
  const imported = await Promise.all(keys.map((key) => crypto.subtle.importKey('raw', key, hmac, false, ['sign'])))
  const expected = await Promise.all(imported.map(async (key) => new Uint8Array(await crypto.subtle.sign('HMAC', key, signed))))
  return expected.flatMap((one) => digests.map((digest) => isEqual(one, digest))).includes(true)
}

/** Compares in constant time. */
function isEqual(one: Bytes, other: Bytes): boolean {
  let difference = one.length ^ other.length
  for (const [index, byte] of one.entries()) difference |= byte ^ (other[index] ?? 0)
  return difference === 0
}

function readEvent(body: Uint8Array): WebhookEvent {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body)) as WebhookEvent
  } catch (cause) {
    throw new WebhookNotVerifiedError('The body is no JSON.', { cause })
  }
}

function bytesOf(body: ReceivedWebhook['body']): Uint8Array {
  if (typeof body === 'string') return new TextEncoder().encode(body)
  return body instanceof ArrayBuffer ? new Uint8Array(body) : body
}

function joined(first: Uint8Array, second: Uint8Array): Bytes {
  const both = new Uint8Array(first.length + second.length)
  both.set(first)
  both.set(second, first.length)
  return both
}
