import { WebhookNotVerifiedError } from './webhookNotVerified.ts'

type Bytes = Uint8Array<ArrayBuffer>

export type WebhookHeaders = Headers | Record<string, string | string[] | undefined>

/** The signature of a webhook in either of the two schemes. */
export type WebhookSignature = {
  /** Unix seconds. */
  timestamp: string
  /** The signed text before the body. */
  prefix: string
  /** One per secret; two during a rotation. */
  digests: Bytes[]
  /** The signing key of a printed secret; undefined for an invalid one. */
  keyOf(secret: string): Bytes | undefined
}

/**
 * Parses `X-Service-Signature` or, if a proxy removed it, the Standard Webhooks headers.
 * Throws WebhookNotVerifiedError without a signature, and for an invalid one.
 */
export function readSignature(headers: WebhookHeaders): WebhookSignature {
  const own = headerOf(headers, 'x-service-signature')
  const standard = headerOf(headers, 'webhook-signature')
  if (own === '' && standard === '') throw new WebhookNotVerifiedError('The request has no signature.')
  const found = own === '' ? standardSignature(headers, standard) : ownSignature(own)
  if (found && /^\d{1,12}$/.test(found.timestamp) && found.digests.length > 0) return found
  throw new WebhookNotVerifiedError('The signature is invalid.')
}

/** `t=<unix seconds>,v1=<hex>,…`; other names are for later releases. The key is the printed secret. */
function ownSignature(header: string): WebhookSignature | undefined {
  const parts = header.split(',').map((part) => part.trim().split('=', 2) as [string, string | undefined])
  const valuesOf = (name: string) => parts.flatMap(([each, value]) => (each === name && value !== undefined ? [value] : []))
  const [timestamp, ...more] = valuesOf('t')
  if (timestamp === undefined || more.length > 0) return undefined
  const digests = valuesOf('v1').filter((value) => /^[0-9a-f]{64}$/.test(value))
  return {
    timestamp,
    prefix: `${timestamp}.`,
    digests: digests.map(bytesOfHex),
    keyOf: (secret) => filled(new TextEncoder().encode(secret)),
  }
}

/** `v1,<base64> …`, with identifier and timestamp in their own headers. The key is the decoded secret. */
function standardSignature(headers: WebhookHeaders, header: string): WebhookSignature | undefined {
  const id = headerOf(headers, 'webhook-id')
  const timestamp = headerOf(headers, 'webhook-timestamp')
  const values = header.split(/\s+/).flatMap((part) => (part.startsWith('v1,') ? [part.slice(3)] : []))
  const digests = values.flatMap((value) => bytesOfBase64(value) ?? []).filter(({ length }) => length === 32)
  if (id === '') return undefined
  return { timestamp, prefix: `${id}.${timestamp}.`, digests, keyOf: (secret) => bytesOfBase64(secret.replace(/^whsec_/, '')) }
}

function headerOf(headers: WebhookHeaders, name: string): string {
  if (headers instanceof Headers) return headers.get(name) ?? ''
  const values = Object.entries(headers).filter(([each]) => each.toLowerCase() === name)
  return values.flatMap(([, value]) => value ?? []).join(',')
}

/** An empty key is invalid. */
function filled(bytes: Bytes): Bytes | undefined {
  return bytes.length === 0 ? undefined : bytes
}

function bytesOfHex(hex: string): Bytes {
  return Uint8Array.from(hex.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16))
}

function bytesOfBase64(text: string): Bytes | undefined {
  try {
    return filled(Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0)))
  } catch {
    return undefined
  }
}
