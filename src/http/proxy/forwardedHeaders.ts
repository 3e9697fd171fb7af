import type { IncomingHttpHeaders } from 'node:http'

/** Names a request that one process passes on to another: its identifier, sealed. Whoever has it has come from a public side. */
export const forwardedIdHeader = 'x-atelier-passed-on'

/** Between two neighbours alone (RFC 9110, 7.6.1), together with what `Connection` names. */
const hopByHop =
  'connection keep-alive proxy-authenticate proxy-authorization proxy-connection te trailer transfer-encoding upgrade http2-settings expect'
/** Say where a request came from, which we say ourselves. */
const ofProxies = /^(?:x-forwarded-.*|forwarded|via|x-real-ip|x-client-ip|true-client-ip|cf-connecting-ip|fastly-client-ip)$/

/** What we ourselves say of a request that we pass on. `host`: as the browser named us. */
export type ForwardedOrigin = { host: string; address: string | undefined; scheme: string; forwardedId: string }

/**
 * The headers of a request for the internal side. `Authorization` goes along: a tool with the service token is known at either side, as
 * it is where one listener serves all. Contract: docs/contract.md#two-listeners.
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

/** The headers of the internal side's answer, for the browser. */
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
