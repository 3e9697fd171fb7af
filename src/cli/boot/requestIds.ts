import type { IncomingMessage } from 'node:http'
import { isId, newId } from '../../contract/ids.ts'
import { forwardedIdHeader } from '../../http/proxy/forwardedHeaders.ts'
import { type KeyRing, openToken, sealToken } from '../../secrets/keyRing.ts'

const purpose = 'request_id'

/**
 * Gives a request one identifier in all processes that it passes: a process creates it, unless another process with the same secret has
 * signed one already. Identifiers from clients are ignored.
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
