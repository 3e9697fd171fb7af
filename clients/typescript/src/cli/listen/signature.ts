import { createHmac, randomBytes } from 'node:crypto'

const secretForm = /^whsec_[0-9A-Za-z+/]{43}=$/

/** True for the format of signing secrets: `whsec_` and base64 of 32 bytes. */
export function isSecret(text: string): boolean {
  return secretForm.test(text)
}

export function makeSecret(): string {
  return `whsec_${randomBytes(32).toString('base64')}`
}

type Signed = { secret: string; id: string; body: Uint8Array; timestampSeconds: number }

/** The headers of a delivery, signed with both schemes of the service. */
export function signedHeaders(signed: Signed): Record<string, string> {
  const { secret, id, body, timestampSeconds } = signed
  const own = createHmac('sha256', secret).update(`${timestampSeconds}.`).update(body).digest('hex')
  return {
    'content-type': 'application/json; charset=utf-8',
    'X-Service-Signature': `t=${timestampSeconds},v1=${own}`,
    'webhook-id': id,
    'webhook-timestamp': String(timestampSeconds),
    'webhook-signature': `v1,${standardDigest({ secret, id, body, timestamp: String(timestampSeconds) })}`,
  }
}

/** The Standard Webhooks digest: also over identifier and time, with the decoded bytes as the key. */
export function standardDigest({
  secret,
  id,
  body,
  timestamp,
}: {
  secret: string
  id: string
  body: Uint8Array
  timestamp: string
}): string {
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64')
  return createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest('base64')
}
