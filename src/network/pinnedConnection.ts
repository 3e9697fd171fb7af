import { connect as connectTcp, isIP, type LookupFunction, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import type { buildConnector } from 'undici'
import { addressLiteral, type CheckedUrl } from './checkUrl.ts'
import { connectFailure, errorCode, tlsFailure } from './connectionFailure.ts'
import type { Deadline } from './deadline.ts'
import { FetchFailure } from './fetchFailure.ts'

/** A connection that is opened at most once, and only to a checked address. */
export type PinnedConnection = {
  connect: buildConnector.connector
  /** Bytes of HTTP received so far, including headers. */
  bytesRead(): number
  /** True when the peer reset the connection instead of closing it. */
  wasReset(): boolean
  /** The checked address of the peer while the connection is usable, else undefined. */
  openTo(): string | undefined
  close(): void
}

/** After this time the next address is tried in parallel. The last one has until the deadline. */
const nextAddressMilliseconds = 1_000

/**
 * Prepares the connection for `target`; undici calls `connect` when the request is ready. The socket uses the checked addresses, so the
 * name is never resolved again. TLS still requests and checks the name of the URL.
 * The callback gets failures as {@link FetchFailure} of kind `connect`, `tls` or `timeout`.
 */
export function pinnedConnection(target: CheckedUrl, deadline: Deadline, trustedCertificates?: string): PinnedConnection {
  let socket: Socket | undefined
  return {
    connect(_request, callback) {
      if (socket !== undefined) return callback(new FetchFailure('connect', 'connection closed without an answer'), null)
      deadline.stage = 'connecting'
      const opened = target.url.protocol === 'https:' ? openTls(target, trustedCertificates) : connectTcp(tcpOptions(target))
      socket = opened
      let settled = false
      opened.setNoDelay(true)
      opened.once('connect', () => {
        deadline.stage = target.url.protocol === 'https:' ? 'securing' : 'answering'
      })
      opened.once(target.url.protocol === 'https:' ? 'secureConnect' : 'connect', () => {
        deadline.stage = 'answering'
        settled = true
        callback(null, opened)
      })
      // Never removed: a socket that fails after its request was aborted must not crash the process.
      opened.on('error', (error) => {
        if (settled) return
        settled = true
        callback(deadline.stage === 'securing' ? tlsFailure(error) : connectFailure(error), null)
      })
      return undefined
    },
    bytesRead: () => socket?.bytesRead ?? 0,
    wasReset: () => errorCode(socket?.errored) === 'ECONNRESET',
    openTo: () => (socket?.readyState === 'open' ? socket.remoteAddress : undefined),
    close: () => socket?.destroy(),
  }
}

function openTls(target: CheckedUrl, trustedCertificates: string | undefined): Socket {
  return connectTls({
    ...tcpOptions(target),
    // An IP address is not a valid server name. Its certificate is checked against the host instead.
    servername: addressLiteral(target.url) === undefined ? target.url.hostname.replace(/\.$/, '') : '',
    ALPNProtocols: ['http/1.1'],
    // Explicit, because an environment variable can change the default.
    rejectUnauthorized: true,
    ...(trustedCertificates === undefined ? {} : { ca: trustedCertificates }),
  })
}

function tcpOptions({ url, addresses }: CheckedUrl) {
  const lookup: LookupFunction = (_hostname, _options, callback) => {
    callback(
      null,
      addresses.map((address) => ({ address, family: isIP(address) })),
    )
  }
  return {
    // An address literal skips the look-up, but it was checked itself.
    host: addressLiteral(url) ?? url.hostname,
    port: Number(url.port || (url.protocol === 'https:' ? 443 : 80)),
    lookup,
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: nextAddressMilliseconds,
  }
}
