import type { KeyRing } from '../../../secrets/keyRing.ts'

type SecretColumn = 'secret' | 'older_secret'

/** What is sealed for one row and column opens for no other. */
const purposes: Record<SecretColumn, string> = {
  secret: 'webhook_subscriptions.secret',
  older_secret: 'webhook_subscriptions.older_secret',
}

export function sealSecret(ring: KeyRing, secret: string, { id, column }: { id: string; column: SecretColumn }): Buffer {
  return ring.seal(Buffer.from(secret), `${purposes[column]}:${id}`)
}

/** `undefined` when no key of the ring sealed it. */
export function openSecret(ring: KeyRing, sealed: Buffer, { id, column }: { id: string; column: SecretColumn }): string | undefined {
  return ring.open(sealed, `${purposes[column]}:${id}`)?.toString()
}

/** A subscription's secrets as they stand in its row. */
export type SealedSecrets = { id: string; secret: Buffer | null; olderSecret: Buffer | null }

/** The secrets that sign now, the newer first; `undefined` when one of them cannot be opened. */
export function openSecrets(ring: KeyRing, { id, secret, olderSecret }: SealedSecrets): string[] | undefined {
  if (secret === null) return undefined
  const newer = openSecret(ring, secret, { id, column: 'secret' })
  if (newer === undefined || olderSecret === null) return newer === undefined ? undefined : [newer]
  const older = openSecret(ring, olderSecret, { id, column: 'older_secret' })
  return older === undefined ? undefined : [newer, older]
}

/** True when all of them are sealed with the key that writes now. */
export function isCurrent(ring: KeyRing, { id, secret, olderSecret }: SealedSecrets): boolean {
  const newerIs = secret === null || ring.isCurrent(secret, `${purposes.secret}:${id}`)
  return newerIs && (olderSecret === null || ring.isCurrent(olderSecret, `${purposes.older_secret}:${id}`))
}
