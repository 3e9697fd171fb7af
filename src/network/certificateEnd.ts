import { once } from 'node:events'
import { isIP } from 'node:net'
import { connect } from 'node:tls'

/** Returns the end of the certificate of a server, whether it is valid or not. Only for addresses of our own settings. */
export async function certificateEnd({ hostname, port }: URL, timeoutMs = 5_000): Promise<Date> {
  const host = hostname.replace(/^\[(.+)\]$/, '$1')
  const name = isIP(host) === 0 ? { servername: host } : {}
  // No data is sent, and an invalid certificate has an end too.
  const socket = connect({ host, port: Number(port) || 443, rejectUnauthorized: false, ...name })
  try {
    await once(socket, 'secureConnect', { signal: AbortSignal.timeout(timeoutMs) })
    return new Date(socket.getPeerCertificate().valid_to)
  } finally {
    socket.destroy()
  }
}
