import { isId } from '../../../contract/ids.ts'
import { limits } from '../../../contract/limits.ts'
import type { ResultLink } from '../../../contract/shapes/generation.ts'
import { type KeyRing, openToken, sealToken } from '../../../secrets/keyRing.ts'
import type { Actor } from '../../access/actor.ts'
import type { Clock, Services } from '../../context.ts'
import { recordIssuedLink } from './recordIssuedLink.ts'

/**
 * The holder of a link, whose end revokes it: a key, a webhook subscription, a person with access to the history, or an internal tool with
 * the service token.
 */
export type LinkHolder =
  | { kind: 'key'; keyId: string; keyExpiresAt?: Date | null }
  | { kind: 'subscription'; subscriptionId: string }
  | { kind: 'person'; userId: string }
  | { kind: 'service' }

/** The sealed content of a result link. */
export type ResultGrant = { generationId: string; holder: LinkHolder; expiresAt: Date }

const purpose = 'result_link'

/**
 * Makes the link to a result for a holder. It is valid for 48 hours, or for 15 minutes for a person or an internal tool. `expiresAt` is
 * never later than the end of the key; the link then works on if that end is moved.
 * Contract: docs/contract.md#life-of-a-result-link.
 */
export function resultLink(
  services: Pick<Services, 'ring' | 'clock' | 'settings' | 'pool' | 'log'>,
  { generationId, holder }: Omit<ResultGrant, 'expiresAt'>,
): ResultLink {
  const { ring, clock, settings } = services
  if (holder.kind === 'key') recordIssuedLink(services, { keyId: holder.keyId, generationId })
  const seconds = Math.floor(clock.now().getTime() / 1000) + ttlSecondsOf(holder)
  const plain = `${generationId}|${holderIdOf(holder)}|${seconds}`
  const keyEndsAt = holder.kind === 'key' ? holder.keyExpiresAt?.getTime() : undefined
  const expiresAt = new Date(Math.min(seconds * 1000, keyEndsAt ?? Number.POSITIVE_INFINITY))
  return { url: `${settings.publicUrl}/r/${sealToken(ring, Buffer.from(plain), purpose)}`, expiresAt }
}

/** Opens a token. `undefined` when it was altered, is not ours, or has expired. */
export function openResultToken(ring: KeyRing, clock: Clock, token: string): ResultGrant | undefined {
  const [generationId = '', holderId = '', seconds = ''] = openToken(ring, token, purpose)?.toString().split('|') ?? []
  const expiresAt = new Date(Number(seconds) * 1000)
  const holder = parseHolderId(holderId)
  if (!holder || !isId('gen', generationId) || !(expiresAt > clock.now())) return undefined
  return { generationId, holder, expiresAt }
}

/** The key is the holder; without a key, the holder is an internal tool. */
export function linkHolderOfKey(keyId: string | null, keyExpiresAt: Date | null): LinkHolder {
  return keyId === null ? { kind: 'service' } : { kind: 'key', keyId, keyExpiresAt }
}

/** The holder of links in answers to the actor. */
export function linkHolderOf(actor: Actor): LinkHolder {
  if (actor.kind === 'person') return { kind: 'person', userId: actor.userId }
  return actor.kind === 'key' ? linkHolderOfKey(actor.keyId, actor.expiresAt) : { kind: 'service' }
}

/** Short for holders that cannot be revoked, or whose screens fetch new links. */
function ttlSecondsOf({ kind }: LinkHolder): number {
  return kind === 'service' || kind === 'person' ? limits.shortResultLinkMinutes * 60 : limits.resultLinkHours * 3600
}

/** The holder's identifier; empty for internal tools. */
export function holderIdOf(holder: LinkHolder): string {
  if (holder.kind === 'key') return holder.keyId
  if (holder.kind === 'person') return holder.userId
  return holder.kind === 'subscription' ? holder.subscriptionId : ''
}

/** The prefix of the identifier determines the kind of holder. */
function parseHolderId(id: string): LinkHolder | undefined {
  if (id === '') return { kind: 'service' }
  if (isId('key', id)) return { kind: 'key', keyId: id }
  if (isId('user', id)) return { kind: 'person', userId: id }
  return isId('hook', id) ? { kind: 'subscription', subscriptionId: id } : undefined
}
