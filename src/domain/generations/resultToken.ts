import type { ResultLink } from '../../contract/generation.ts'
import { isId } from '../../contract/ids.ts'
import { limits } from '../../contract/limits.ts'
import { type KeyRing, openToken, sealToken } from '../../secrets/seal.ts'
import type { Clock, Services } from '../context.ts'

/** What a result link says, sealed: which generation, whose key obtained it (none for internal tools), until when. */
export type ResultGrant = { generationId: string; keyId: string | null; expiresAt: Date }

const purpose = 'result_link'

/** The link to a result for whoever holds the key; it works for 48 hours. Spec: Result. Contract: section 3, result links. */
export function resultLink(
  { ring, clock, settings }: Pick<Services, 'ring' | 'clock' | 'settings'>,
  { generationId, keyId }: Omit<ResultGrant, 'expiresAt'>,
): ResultLink {
  const seconds = Math.floor(clock.now().getTime() / 1000) + limits.resultLinkHours * 3600
  const plain = [generationId, keyId ?? '', String(seconds)].join('|')
  return { url: `${settings.publicUrl}/r/${sealToken(ring, Buffer.from(plain), purpose)}`, expiresAt: new Date(seconds * 1000) }
}

/** Opens a token; `undefined` when it was altered, not made by us, or has expired. */
export function openResultToken(ring: KeyRing, clock: Clock, token: string): ResultGrant | undefined {
  const [generationId = '', keyId = '', seconds = ''] = openToken(ring, token, purpose)?.toString().split('|') ?? []
  const expiresAt = new Date(Number(seconds) * 1000)
  if (!isId('gen', generationId) || !(expiresAt > clock.now())) return undefined
  return { generationId, keyId: keyId === '' ? null : keyId, expiresAt }
}
