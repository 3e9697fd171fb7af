import { Refusal } from '../../../contract/refusals/refusals.ts'
import type { KeyRing } from '../../../secrets/keyRing.ts'

type SecretColumn = 'secret' | 'older_secret'

/** Binds a sealed value to its row and column. It cannot be opened for another. */
const purposes: Record<SecretColumn, string> = {
  secret: 'webhook_subscriptions.secret',
  older_secret: 'webhook_subscriptions.older_secret',
}

export function sealSecret(ring: KeyRing, secret: string, { id, column }: { id: string; column: SecretColumn }): Buffer {
  return ring.seal(Buffer.from(secret), `${purposes[column]}:${id}`)
}

/** `undefined` when none of the keys sealed it. */
export function openSecret(ring: KeyRing, sealed: Buffer, { id, column }: { id: string; column: SecretColumn }): string | undefined {
  return ring.open(sealed, `${purposes[column]}:${id}`)?.toString()
}

/** Opens a secret that must open. Throws internal_error when none of the keys sealed it. */
export function readSecret(ring: KeyRing, sealed: Buffer, row: { id: string; column: SecretColumn }): string {
  const secret = openSecret(ring, sealed, row)
  if (secret !== undefined) return secret
  throw new Refusal('internal_error', undefined, { cause: new Error('SECRET_KEY cannot decrypt the signing secret') })
}

/** The encrypted secrets of a subscription, as stored. */
export type SealedSecrets = { id: string; secret: Buffer | null; olderSecret: Buffer | null }

/** Returns the secrets that sign now, newer first; `undefined` when one of them cannot be decrypted. */
export function openSecrets(ring: KeyRing, { id, secret, olderSecret }: SealedSecrets): string[] | undefined {
  if (secret === null) return undefined
  const newer = openSecret(ring, secret, { id, column: 'secret' })
  if (newer === undefined || olderSecret === null) return newer === undefined ? undefined : [newer]
  const older = openSecret(ring, olderSecret, { id, column: 'older_secret' })
  return older === undefined ? undefined : [newer, older]
}

/** True when all secrets are sealed with the first key of the ring. */
export function isCurrent(ring: KeyRing, { id, secret, olderSecret }: SealedSecrets): boolean {
  const isNewerCurrent = secret === null || ring.isCurrent(secret, `${purposes.secret}:${id}`)
  return isNewerCurrent && (olderSecret === null || ring.isCurrent(olderSecret, `${purposes.older_secret}:${id}`))
}
