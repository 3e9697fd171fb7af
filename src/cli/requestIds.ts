import type { IncomingMessage } from 'node:http'
import { isId, newId } from '../contract/ids.ts'
import { passedOnHeader } from '../http/passedOnHeaders.ts'
import { type KeyRing, openToken, sealToken } from '../secrets/seal.ts'

const purpose = 'request_id'

/**
 * One identifier for one request, whichever of our processes it passes: each makes its own, unless another one that has our secret has
 * named it already. What a client sends names nothing.
 */
export function makeRequestIds(ring: KeyRing) {
  return {
    idOf({ headers }: Pick<IncomingMessage, 'headers'>): string {
      const sealed = headers[passedOnHeader]
      const named = typeof sealed === 'string' ? openToken(ring, sealed, purpose)?.toString() : undefined
      return named !== undefined && isId('req', named) ? named : newId('req')
    },
    sealId: (requestId: string): string => sealToken(ring, Buffer.from(requestId), purpose),
  }
}
