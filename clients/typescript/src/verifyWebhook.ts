import type { WebhookBody } from './openapi.ts'

/** An event as it is sent to a webhook. */
export type WebhookEvent = WebhookBody

/** A request that must not be processed: nothing shows that it comes from the service, or that it is new. */
export class WebhookNotVerified extends Error {
  override readonly name = 'WebhookNotVerified'
}

export type ReceivedWebhook = {
  /** The body as it came, before any JSON is read. */
  body: string | Uint8Array | ArrayBuffer
  headers: Headers | Record<string, string | string[] | undefined>
  /** The whole printed secret, `whsec_…`; several while one is being replaced. */
  secrets: string | string[]
  /** How old, or how far ahead, the signature may be; 300 when left out. */
  toleranceSeconds?: number
  /** Unix seconds; the clock of the machine when left out. */
  now?: number
}

const toleranceSecondsUsual = 300

/**
 * Checks that a webhook comes from the service and is fresh, and reads its event. The same event may come again: drop an `id` that you
 * have seen. Throws WebhookNotVerified. Digests are compared in constant time.
 */
export async function verifyWebhook(received: ReceivedWebhook): Promise<WebhookEvent> {
  const { toleranceSeconds = toleranceSecondsUsual, now = Date.now() / 1000 } = received
  const body = bytesOf(received.body)
  const { timestamp, digests } = readSignature(headerOf(received.headers, 'x-service-signature'))
  const secrets = typeof received.secrets === 'string' ? [received.secrets] : received.secrets
  if (!(Math.abs(now - Number(timestamp)) <= toleranceSeconds)) throw new WebhookNotVerified('The signature is not of this time.')
  const signed = joined(new TextEncoder().encode(`${timestamp}.`), body)
  if (!(await isSigned(signed, digests, secrets))) throw new WebhookNotVerified('No signature fits the body.')
  return readEvent(body)
}

/** Tries every digest under every secret, found or not. */
async function isSigned(signed: Uint8Array<ArrayBuffer>, digests: Uint8Array<ArrayBuffer>[], secrets: string[]): Promise<boolean> {
  const keys = await Promise.all(secrets.filter((secret) => secret !== '').map(keyOf))
  const verdicts = await Promise.all(keys.flatMap((key) => digests.map((digest) => crypto.subtle.verify('HMAC', key, digest, signed))))
  return verdicts.includes(true)
}

function keyOf(secret: string) {
  return crypto.subtle.importKey('raw', new TextEncoder().encode(secret), { name: 'HMAC', hash: 'SHA-256' }, false, ['verify'])
}

/** `t=<unix seconds>,v1=<hex>`, with several `v1` while a secret is being replaced; parts of other names are for later releases. */
function readSignature(header: string): { timestamp: string; digests: Uint8Array<ArrayBuffer>[] } {
  const parts = header.split(',').map((part) => part.trim().split('=', 2) as [string, string | undefined])
  const valuesOf = (name: string) => parts.flatMap(([each, value]) => (each === name && value !== undefined ? [value] : []))
  const [timestamp, ...more] = valuesOf('t')
  const digests = valuesOf('v1').filter((value) => /^[0-9a-f]{64}$/.test(value))
  if (timestamp === undefined || more.length > 0 || !/^\d{1,12}$/.test(timestamp) || digests.length === 0) {
    throw new WebhookNotVerified('The signature cannot be read.')
  }
  return { timestamp, digests: digests.map(bytesOfHex) }
}

function headerOf(headers: ReceivedWebhook['headers'], name: string): string {
  const found =
    headers instanceof Headers
      ? headers.get(name)
      : Object.entries(headers)
          .filter(([each]) => each.toLowerCase() === name)
          .flatMap(([, value]) => value ?? [])
          .join(',')
  if (!found) throw new WebhookNotVerified('The request carries no signature.')
  return found
}

function readEvent(body: Uint8Array): WebhookEvent {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body)) as WebhookEvent
  } catch (cause) {
    throw new WebhookNotVerified('The body is no JSON.', { cause })
  }
}

function bytesOf(body: ReceivedWebhook['body']): Uint8Array {
  if (typeof body === 'string') return new TextEncoder().encode(body)
  return body instanceof ArrayBuffer ? new Uint8Array(body) : body
}

function joined(first: Uint8Array, second: Uint8Array): Uint8Array<ArrayBuffer> {
  const both = new Uint8Array(first.length + second.length)
  both.set(first)
  both.set(second, first.length)
  return both
}

function bytesOfHex(hex: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(hex.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16))
}
