import { createServer, type RequestListener, type Server } from 'node:http'
import Fastify, { type FastifyHttpOptions, type FastifyInstance } from 'fastify'
import { limitPipelining } from './limits/limitPipelining.ts'

/** How long a client may take, in milliseconds. */
export type Timeouts = {
  /** For its headers. */
  headersMs: number
  /** For its headers and body together. */
  requestMs: number
  /** For its body to come on. */
  stallMs: number
  /** To take some of an answer; longer than any answer takes to begin. */
  silenceMs: number
  /** How often the two are looked at. */
  checkIntervalMs: number
}

/** The largest file comes in whole over the line of a modem, as long as it comes on. */
export const defaultTimeouts: Timeouts = {
  headersMs: 15_000,
  requestMs: 7_200_000,
  stallMs: 30_000,
  silenceMs: 120_000,
  checkIntervalMs: 1000,
}
/** Kept-alive connections outlive the longest wait, and go within a shutdown. */
const keepAliveTimeoutMs = 75_000

/** A Fastify over HTTP/1.1; HTTP/2 is not served. Each of its connections has one request in progress. */
export function listener(
  timeouts: Timeouts,
  answers: Pick<FastifyHttpOptions<Server>, 'trustProxy' | 'genReqId' | 'clientErrorHandler' | 'frameworkErrors'>,
): FastifyInstance {
  return Fastify({
    ...answers,
    logger: false,
    serverFactory: (handle) => makeServer(handle, timeouts),
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    routerOptions: { maxParamLength: 16_384, caseSensitive: true, ignoreTrailingSlash: false, ignoreDuplicateSlashes: false },
    exposeHeadRoutes: false,
  })
}

function makeServer(handle: RequestListener, { headersMs, requestMs, silenceMs, checkIntervalMs }: Timeouts): Server {
  const server = createServer(
    {
      headersTimeout: headersMs,
      requestTimeout: requestMs,
      keepAliveTimeout: keepAliveTimeoutMs,
      connectionsCheckingInterval: checkIntervalMs,
      requireHostHeader: false,
    },
    limitPipelining(handle),
  )
  server.setTimeout(silenceMs)
  return server
}
