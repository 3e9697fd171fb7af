import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'
import type { DocUrls } from '../contract/docUrl.ts'
import { invalidRequest, type Refusal } from '../contract/refusals/refusals.ts'
import { answerParseError } from './answerParseError.ts'

/** Watches the connections of one listener, so that nobody is left without an answer in our shape. */
export type ProtocolGuard = {
  /** Hears of every request before anything else does. Gives what HTTP/1.1 itself forbids. Refusals: invalid_request. */
  begin(request: IncomingMessage, response: ServerResponse): Refusal | undefined
  /** For what the parser will not take; may be called before any request is known. */
  onClientError(error: Error & { code?: string }, socket: Socket): void
  /** Takes over what Node would answer by itself with a bare status, or cut off. */
  attach(fastify: FastifyInstance): void
}

/** `headers`: those that every response has. */
export function makeProtocolGuard(docUrls: DocUrls, headers: () => Record<string, string>): ProtocolGuard {
  const responses = new WeakMap<Socket, ServerResponse>()
  const onClientError: ProtocolGuard['onClientError'] = (error, socket) =>
    answerParseError(error, socket, { docUrls, headers: headers(), response: responses.get(socket) })
  return {
    begin(request, response) {
      const fault = hostHeaderRefusal(request)
      if (fault) response.shouldKeepAlive = false
      return fault
    },
    onClientError,
    attach({ server }) {
      // Also those that wait for the answers before theirs.
      server.prependListener('request', (request, response) => void responses.set(request.socket, response))
      // An expectation that we do not know asks for nothing that we would do otherwise.
      server.on('checkExpectation', (request, response) => server.emit('request', request, response))
      server.on('connect', (_request, socket) => onClientError(new Error('no tunnels are dug here'), socket as Socket))
    },
  }
}

/** Whoever stands between a client and us must read the same host of a request as we do: it is named once, or twice alike. */
function hostHeaderRefusal({ url = '', headers, rawHeaders, httpVersion }: IncomingMessage): Refusal | undefined {
  const refused = (code: 'required' | 'conflict', message: string) => invalidRequest({ in: 'header', path: ['Host'], code, message })
  const hosts = rawHeaders.filter((name, index) => index % 2 === 0 && name.toLowerCase() === 'host').length
  if (hosts > 1) return refused('conflict', 'A request takes one Host header.')
  if (hosts === 0 && httpVersion === '1.1') return refused('required', 'HTTP/1.1 takes a Host header.')
  const scheme = /^[a-z][a-z0-9+.-]*:\/\//i.exec(url)?.[0]
  if (scheme === undefined || headers.host === undefined) return undefined
  const named = URL.parse(url)
  const isAlike = named !== null && named.username === '' && named.password === '' && named.host === URL.parse(scheme + headers.host)?.host
  return isAlike ? undefined : refused('conflict', 'The address names another host than the Host header.')
}
