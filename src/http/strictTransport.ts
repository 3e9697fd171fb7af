import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { invalidRequest, type Refusal } from '../contract/refusals.ts'
import { answerRejected } from './rejectedByParser.ts'

/** Watches the connections of one listener, so that nobody is left without an answer in our shape. */
export type StrictTransport = {
  /** Hears of every request before anything else does. Gives what HTTP/1.1 itself forbids. Refusals: invalid_request. */
  begin(request: IncomingMessage, response: ServerResponse): Refusal | undefined
  /** For what the parser will not take; may be called before any request is known. */
  onClientError(error: Error & { code?: string }, socket: Socket): void
  /** Takes over what Node would answer by itself with a bare status, or cut off. */
  attach(fastify: FastifyInstance): void
}

/** `headers`: those that every response has. */
export function strictTransport(headers: () => Record<string, string>): StrictTransport {
  const responses = new WeakMap<Socket, ServerResponse>()
  const onClientError: StrictTransport['onClientError'] = (error, socket) =>
    answerRejected(error, socket, { headers: headers(), response: responses.get(socket) })
  return {
    begin(request, response) {
      responses.set(request.socket, response)
      if (request.headers.host !== undefined || request.httpVersion !== '1.1') return undefined
      response.shouldKeepAlive = false
      return invalidRequest({ in: 'header', path: ['Host'], code: 'required', message: 'HTTP/1.1 takes a Host header.' })
    },
    onClientError,
    attach({ server }) {
      // An expectation that we do not know asks for nothing that we would do otherwise.
      server.on('checkExpectation', (request, response) => server.emit('request', request, response))
      server.on('connect', (_request, socket) => onClientError(new Error('no tunnels are dug here'), socket as Socket))
    },
  }
}
