import type { IncomingMessage } from 'node:http'
import { isId, newId } from '../../contract/ids.ts'
import { forwardedIdHeader } from '../../http/proxy/forwardedHeaders.ts'
import { type KeyRing, openToken, sealToken } from '../../secrets/keyRing.ts'

const purpose = 'request_id'

/**
 * One identifier for one request, whichever of our processes it passes: each makes its own, unless another one that has our secret has
 * named it already. What a client sends names nothing.
 */
export function makeRequestIds(ring: KeyRing) {
  const opened = (sealed: string): string | undefined => {
    const named = openToken(ring, sealed, purpose)?.toString()
    return named !== undefined && isId('req', named) ? named : undefined
  }
  return {
    idOf({ headers }: Pick<IncomingMessage, 'headers'>): string {
      const sealed = headers[forwardedIdHeader]
      return (typeof sealed === 'string' ? opened(sealed) : undefined) ?? newId('req')
    },
    isSealed: (header: string): boolean => opened(header) !== undefined,
    sealId: (requestId: string): string => sealToken(ring, Buffer.from(requestId), purpose),
  }
}

export type RequestIds = ReturnType<typeof makeRequestIds>
