import { createServer, type RequestListener, type Server } from 'node:http'
import Fastify, { type FastifyHttpOptions, type FastifyInstance } from 'fastify'
import { limitPipelining } from './limits/limitPipelining.ts'

/** Time limits for a client, in milliseconds. */
export type Timeouts = {
  /** For the headers. */
  headersMs: number
  /** For headers and body together. */
  requestMs: number
  /** For progress of the body. */
  stallMs: number
  /** For reading some bytes of the response. Longer than the start of any response. */
  silenceMs: number
  /** How often the limits are checked. */
  checkIntervalMs: number
}

/** `requestMs` allows the largest file over a modem connection. */
export const defaultTimeouts: Timeouts = {
  headersMs: 15_000,
  requestMs: 7_200_000,
  stallMs: 30_000,
  silenceMs: 120_000,
  checkIntervalMs: 1000,
}
/** Idle connections stay open longer than the longest wait. A shutdown closes them. */
const keepAliveTimeoutMs = 75_000

/** Creates a Fastify instance for HTTP/1.1, without HTTP/2. Each connection has one request in progress. */
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
