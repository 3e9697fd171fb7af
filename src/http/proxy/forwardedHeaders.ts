import type { IncomingHttpHeaders } from 'node:http'

/** The sealed identifier of a proxied request. A request with this header came through a public listener. */
export const forwardedIdHeader = 'x-atelier-passed-on'

/** Hop-by-hop headers (RFC 9110, 7.6.1), in addition to those that `Connection` lists. */
const hopByHop =
  'connection keep-alive proxy-authenticate proxy-authorization proxy-connection te trailer transfer-encoding upgrade http2-settings expect'
/** Headers about the origin of a request. We set our own. */
const ofProxies = /^(?:x-forwarded-.*|forwarded|via|x-real-ip|x-client-ip|true-client-ip|cf-connecting-ip|fastly-client-ip)$/

/** The origin of a proxied request. `host`: the Host header of the browser. */
export type ForwardedOrigin = { host: string; address: string | undefined; scheme: string; forwardedId: string }

/**
 * Returns the headers of a request for the internal listener. Keeps `Authorization`, so that the service token works on both listeners.
 * Contract: docs/contract.md#two-listeners.
 */
export function forwardedRequestHeaders(
  headers: IncomingHttpHeaders,
  { host, address, scheme, forwardedId }: ForwardedOrigin,
  bodyBytes: number | undefined,
): IncomingHttpHeaders {
  const kept = withoutHops(headers).filter(([name]) => name !== 'content-length' && !ofProxies.test(name))
  return {
    ...Object.fromEntries(kept),
    host,
    ...(bodyBytes === undefined ? {} : { 'content-length': String(bodyBytes) }),
    ...(address === undefined ? {} : { 'x-forwarded-for': address }),
    'x-forwarded-proto': scheme,
    [forwardedIdHeader]: forwardedId,
  }
}

/** Returns the headers of the internal listener's response for the browser. */
export function forwardedResponseHeaders(headers: IncomingHttpHeaders): IncomingHttpHeaders {
  return Object.fromEntries(withoutHops(headers))
}

function withoutHops(headers: IncomingHttpHeaders): [string, string | string[] | undefined][] {
  const named = String(headers.connection ?? '')
    .toLowerCase()
    .split(',')
    .map((each) => each.trim())
  const dropped = new Set([...hopByHop.split(' '), ...named])
  return Object.entries(headers).filter(([name]) => !dropped.has(name))
}
