import { type KeyRing, openToken, sealToken } from '../../secrets/seal.ts'
import type { Clock } from '../context.ts'
import { isId } from '../ids.ts'
import { limits } from '../limits.ts'

/** What a result link says, sealed: which generation, whose key obtained it (none for internal tools), until when. */
export type ResultGrant = { generationId: string; keyId: string | null; expiresAt: Date }

const purpose = 'result_link'

/** Makes links to results, each with a token that lives for 48 hours. Spec: Result. Contract: section 3, result links. */
export function makeResultLinks({ ring, clock, publicUrl }: { ring: KeyRing; clock: Clock; publicUrl: string }) {
  return (generationId: string, keyId: string | null): { url: string; expiresAt: Date } => {
    const seconds = Math.floor(clock.now().getTime() / 1000) + limits.resultLinkHours * 3600
    const plain = [generationId, keyId ?? '', String(seconds)].join('|')
    return { url: `${publicUrl}/r/${sealToken(ring, Buffer.from(plain), purpose)}`, expiresAt: new Date(seconds * 1000) }
  }
}

/** Opens a token; `undefined` when it was altered, not made by us, or has expired. */
export function openResultToken(ring: KeyRing, clock: Clock, token: string): ResultGrant | undefined {
  const [generationId = '', keyId = '', seconds = ''] = openToken(ring, token, purpose)?.toString().split('|') ?? []
  const expiresAt = new Date(Number(seconds) * 1000)
  if (!isId('gen', generationId) || !(expiresAt > clock.now())) return undefined
  return { generationId, keyId: keyId === '' ? null : keyId, expiresAt }
}
