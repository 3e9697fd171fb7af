import { connect as connectTcp, isIP, type LookupFunction, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import type { buildConnector } from 'undici'
import { addressLiteral, type CheckedUrl } from './checkUrl.ts'
import { connectFailure, errorCode, tlsFailure } from './connectionFailure.ts'
import type { Deadline } from './deadline.ts'
import { FetchFailure } from './fetchFailure.ts'

/** A connection that is opened at most once, to a judged address and nowhere else. */
export type PinnedConnection = {
  connect: buildConnector.connector
  /** Bytes of HTTP that came in so far, headers included. */
  bytesRead(): number
  /** True when the other side cut the connection off instead of ending it. */
  wasReset(): boolean
  /** The judged address at its other end while it can carry a request, else undefined. */
  openTo(): string | undefined
  close(): void
}

/** How long one of several addresses may take before the next is tried as well; the last has until the deadline. */
const nextAddressMilliseconds = 1_000

/**
 * Prepares the connection for `target`; undici asks for it when the request is ready.
 * The name is never resolved again: the socket gets the judged addresses. TLS still asks for, and checks, the name of the URL.
 * Failures come through the callback as {@link FetchFailure} of kind `connect`, `tls` or `timeout`.
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
      // Stays for good: a socket that fails after its request was given up must not end the process.
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
    // An address is no server name; its certificate is checked against the host instead.
    servername: addressLiteral(target.url) === undefined ? target.url.hostname.replace(/\.$/, '') : '',
    ALPNProtocols: ['http/1.1'],
    // Said outright, since an environment variable can change the default.
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
    // A host that is an address passes the look-up by, but then it was judged itself.
    host: addressLiteral(url) ?? url.hostname,
    port: Number(url.port || (url.protocol === 'https:' ? 443 : 80)),
    lookup,
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: nextAddressMilliseconds,
  }
}
