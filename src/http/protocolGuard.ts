import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'
import type { DocUrls } from '../contract/docUrl.ts'
import { newId } from '../contract/ids.ts'
import { presentRefusal } from '../contract/refusals/refusalBody.ts'
import { invalidRequest, type Refusal } from '../contract/refusals/refusals.ts'

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

/** How long the connection stays open after the response, so that the client can read it. */
const lingerMs = 1000

/**
 * Answers an error of Node's HTTP parser with a refusal, then closes the connection. `response` is the last response started on it: if its
 * request has arrived completely, that response is sent first. Never writes into a response that has started, nor a second one for a
 * request that was answered before its body had arrived.
 * Contract: docs/contract.md#unknown-routes.
 */
function answerParseError(
  error: Error & { code?: string },
  socket: Socket,
  { docUrls, headers, response }: { docUrls: DocUrls; headers: Record<string, string>; response: ServerResponse | undefined },
): void {
  const isAnswering = response !== undefined && !response.writableFinished && !response.destroyed
  if (isAnswering && response.req.complete) {
    // Further bytes are ignored. Reading them would keep a connection open whose response is not read.
    socket.pause()
    response.once('close', () => socket.destroy())
    return
  }
  const isAnswered = response !== undefined && response.headersSent && !response.req.complete
  if (error.code === 'ECONNRESET' || !socket.writable || isAnswered) {
    socket.destroy()
    return
  }
  socket.end(rejection(error, headers, docUrls))
  setTimeout(() => socket.destroy(), lingerMs).unref()
}

function rejection(error: { code?: string }, headers: Record<string, string>, docUrls: DocUrls): string {
  const message = error.code === 'ERR_HTTP_REQUEST_TIMEOUT' ? 'The request did not arrive in time.' : 'The request is not valid HTTP.'
  const body = JSON.stringify(presentRefusal(invalidRequest({ in: 'header', path: [], code: 'bad_format', message }), docUrls))
  const lines = Object.entries({
    ...headers,
    'X-Request-Id': newId('req'),
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': String(Buffer.byteLength(body)),
    Connection: 'close',
  }).map(([name, value]) => `${name}: ${value}`)
  return `HTTP/1.1 400 Bad Request\r\n${lines.join('\r\n')}\r\n\r\n${body}`
}
