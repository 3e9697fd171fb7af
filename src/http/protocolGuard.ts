import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'
import type { DocUrls } from '../contract/docUrl.ts'
import { invalidRequest, type Refusal } from '../contract/refusals/refusals.ts'
import { answerParseError } from './answerParseError.ts'

/** Handles protocol errors of one listener, so that every request gets a response in our format. */
export type ProtocolGuard = {
  /** Call it first for every request. Returns a refusal for a request that violates HTTP/1.1. Refusals: invalid_request. */
  begin(request: IncomingMessage, response: ServerResponse): Refusal | undefined
  /** Handles an error of the HTTP parser, possibly before the first request of the connection. */
  onClientError(error: Error & { code?: string }, socket: Socket): void
  /** Handles the cases that Node would answer with a bare status or a closed connection. */
  attach(fastify: FastifyInstance): void
}

/** `headers`: the headers of every response. */
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
      // Includes pipelined requests that wait for earlier responses.
      server.prependListener('request', (request, response) => void responses.set(request.socket, response))
      // Unknown values of Expect are ignored.
      server.on('checkExpectation', (request, response) => server.emit('request', request, response))
      server.on('connect', (_request, socket) => onClientError(new Error('CONNECT is not supported'), socket as Socket))
    },
  }
}

/** A proxy must read the same host as we do. So there is one Host header, and an absolute URL must name the same host. */
function hostHeaderRefusal({ url = '', headers, rawHeaders, httpVersion }: IncomingMessage): Refusal | undefined {
  const refused = (code: 'required' | 'conflict', message: string) => invalidRequest({ in: 'header', path: ['Host'], code, message })
  const hosts = rawHeaders.filter((name, index) => index % 2 === 0 && name.toLowerCase() === 'host').length
  if (hosts > 1) return refused('conflict', 'A request must have only one Host header.')
  if (hosts === 0 && httpVersion === '1.1') return refused('required', 'HTTP/1.1 requires a Host header.')
  const scheme = /^[a-z][a-z0-9+.-]*:\/\//i.exec(url)?.[0]
  if (scheme === undefined || headers.host === undefined) return undefined
  const named = URL.parse(url)
  const isSameHost =
    named !== null && named.username === '' && named.password === '' && named.host === URL.parse(scheme + headers.host)?.host
  return isSameHost ? undefined : refused('conflict', 'The URL and the Host header name different hosts.')
}
