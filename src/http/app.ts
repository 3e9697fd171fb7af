import type { IncomingMessage } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Refusal } from '../contract/refusals/refusals.ts'
import type { Services } from '../domain/context.ts'
import type { Endpoint } from '../rest/endpoint.ts'
import { uploadAddressPath, uploadAddressRoute } from '../rest/files/uploadAddressRoute.ts'
import { type RestOptions, restRoutes } from '../rest/restRoutes.ts'
import { type AdmissionOptions, countRequest } from '../transport/admission.ts'
import { isLingering, lingeringClose } from '../transport/lingeringClose.ts'
import { uncountedHeaders } from '../transport/rateHeaders.ts'
import { requestLogFields } from '../transport/requestLogFields.ts'
import { asRefusal, errorHandler, sendRefusal } from '../transport/translateError.ts'
import { abortStalledBody, stalledBodyError } from './limits/abortStalledBody.ts'
import type { BodyBudget } from './limits/bodyBudget.ts'
import { type Clients, type ConnectionLimits, defaultConnectionLimits, limitConnections } from './limits/limitConnections.ts'
import { limitSlowReaders, readerLimits } from './limits/limitSlowReaders.ts'
import { defaultTimeouts, listener, type Timeouts } from './listener.ts'
import { liveness, type Readiness, readinessRoute } from './monitoring/health.ts'
import { traceRequests } from './monitoring/traceRequests.ts'
import { makeProtocolGuard } from './protocolGuard.ts'
import { resultLinks } from './results/resultLinks.ts'
import type { RouteGroup } from './routeGroup.ts'
import { type KnownPath, makeUnmatchedClassifier } from './unmatchedRoutes.ts'

export type AppOptions = {
  services: Services
  admission: AdmissionOptions
  operations: RestOptions['operations']
  endpoints: Endpoint[]
  readiness: Readiness
  /** The other route groups of this listener: GraphQL, MCP, the admin UI, the documentation site. */
  others: RouteGroup[]
  /** The sides of a split deployment on this listener. Default: all. */
  sides?: Sides
  /** Identifies clients, and the proxies whose `X-Forwarded-For` and `X-Forwarded-Proto` are trusted. */
  clients: Clients
  /** Limits the memory of request bodies, across all listeners of the process. */
  reserveBody: BodyBudget
  timeouts?: Timeouts | undefined
  connectionLimits?: ConnectionLimits | undefined
  /** Returns the identifier of a request: a new one, or the one from a process of ours that proxied it. */
  idOf(request: IncomingMessage): string
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The body is streamed and never held in memory as a whole. */
    streamsBody?: boolean
  }
}

/** `liveness`: `/healthz` is on the public side, and on the internal side if that is the only one. */
export type Sides = { public: boolean; internal: boolean; liveness: boolean }

export type App = {
  fastify: FastifyInstance
  /**
   * Fails the readiness check and ends open waits. Serves requests for another `unreadyMs`, so that load balancers stop routing here. Then
   * closes once the requests in progress are answered.
   */
  drain(unreadyMs?: number): Promise<void>
}

const probePaths: ReadonlySet<string> = new Set(['/healthz', '/readyz', '/metrics'])

/** Listeners of one response. By default Node warns of a leak from eleven on, although there is none. */
const listenersMax = 32

/** Builds a Fastify app with all route groups of a listener. Contract: docs/contract.md#addresses. */
export async function buildApp(options: AppOptions): Promise<App> {
  const { services, admission } = options
  const shutdown = new AbortController()
  let draining = false
  const sides = options.sides ?? { public: true, internal: true, liveness: true }
  const transport = makeProtocolGuard(services.docUrls, () => uncountedHeaders(admission))
  const answerUnmatched = makeUnmatchedHandler(options)
  const groups = routeGroupsOf(options, sides, () => draining)
  const timeouts = options.timeouts ?? defaultTimeouts
  const fastify = listener(timeouts, {
    genReqId: options.idOf,
    trustProxy: (address: string | undefined) => address !== undefined && options.clients.isTrustedProxy(address),
    clientErrorHandler: transport.onClientError,
    frameworkErrors: (error, request, reply) => void answerUnmatched(error, request, reply),
  })
  transport.attach(fastify)
  const connections = limitConnections(fastify.server, options.clients, options.connectionLimits ?? defaultConnectionLimits)
  const readers = limitSlowReaders(readerLimits(timeouts), admission.addressOf)
  fastify.addHook('onClose', async () => readers.stop())
  const classifyUnmatched = makeUnmatchedClassifier(knownPaths(options.endpoints, groups, sides))

  traceRequests(fastify)
  fastify.addHook('onRequest', (request, reply, done) => {
    reply.header('X-Request-Id', request.id)
    // Each limit adds a listener for the end of the response.
    reply.raw.setMaxListeners(listenersMax)
    lingeringClose(request.raw, reply.raw)
    const fault = transport.begin(request.raw, reply.raw)
    if (fault) return done(fault)
    const { raw } = request
    readers.watch(request, reply)
    abortStalledBody(raw, { stallMs: timeouts.stallMs, cut: () => transport.onClientError(stalledBodyError(), raw.socket) })
    // Refuses before a byte of the body is read.
    const unmatched = classifyUnmatched(request)
    if (!unmatched) return done(bodyRefusal(request, reply, options))
    if (unmatched.allow) reply.header('Allow', unmatched.allow)
    void answerUnmatched(unmatched.refusal, request, reply)
  })
  addResponseHooks(fastify, options, () => draining)
  fastify.setErrorHandler(errorHandler(services))
  fastify.setNotFoundHandler((request, reply) => answerUnmatched(new Refusal('not_found'), request, reply))

  for (const group of groups) await fastify.register(group.plugin)
  if (sides.public) {
    await fastify.register(restRoutes({ ...options, shutdown: shutdown.signal }), { prefix: '/api/v1' })
    await fastify.register(resultLinks(services, admission.addressLimits))
    await fastify.register(uploadAddressRoute(services, options))
  }

  return {
    fastify,
    drain: async (unreadyMs = 0) => {
      draining = true
      shutdown.abort()
      if (unreadyMs > 0) await pause(unreadyMs)
      connections.closeWhenIdle()
      await fastify.close()
    },
  }
}

function addResponseHooks(fastify: FastifyInstance, options: AppOptions, isDraining: () => boolean): void {
  fastify.addHook('onSend', (request, reply, payload, done) => {
    if (isDraining()) reply.header('Connection', 'close')
    else if (isLingering(request.raw)) reply.header('Connection', 'keep-alive')
    if (!reply.hasHeader('X-RateLimit-Limit')) reply.headers(uncountedHeaders(options.admission))
    done(null, payload)
  })
  fastify.addHook('onResponse', (request, reply, done) => {
    recordRequest(request, reply, options)
    done()
  })
}

/** Returns a refusal when there is no memory for the body of the request. */
function bodyRefusal(request: FastifyRequest, reply: FastifyReply, { admission, reserveBody }: AppOptions): Refusal | undefined {
  return request.routeOptions.config.streamsBody ? undefined : reserveBody(admission.addressOf(request), request.raw, reply.raw)
}

function routeGroupsOf({ admission, readiness, others }: AppOptions, sides: Sides, isDraining: () => boolean): RouteGroup[] {
  const count = (request: FastifyRequest, reply: FastifyReply) => countRequest(request, reply, admission)
  return [...(sides.liveness ? [liveness] : []), ...(sides.internal ? [readinessRoute({ readiness, isDraining, count })] : []), ...others]
}

/** Answers requests without a route. They count like any other request, so that floods are rate limited. */
function makeUnmatchedHandler({ services, admission }: AppOptions) {
  return async (error: unknown, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    reply.header('X-Request-Id', request.id)
    try {
      await countRequest(request, reply, admission)
      return sendRefusal(reply, asRefusal(error, services.log, request.id), services.docUrls)
    } catch (refused) {
      return sendRefusal(reply, asRefusal(refused, services.log, request.id), services.docUrls)
    }
  }
}

/** Probes of health are logged for debugging only: they arrive every few seconds and hide the requests of users. */
function recordRequest(request: FastifyRequest, reply: FastifyReply, { services, admission }: AppOptions): void {
  const { method, id: requestId } = request
  const route = request.routeOptions.url ?? null
  const named = requestLogFields(request)
  const fields = { requestId, method, route, status: reply.statusCode, ms: Math.round(reply.elapsedTime), ...named }
  if (route !== null && probePaths.has(route)) services.log.debug(fields, 'request')
  else services.log.info(fields, 'request')
  if (named.code !== undefined) {
    services.metrics.refusal(named.code)
    if (named.keyId !== undefined) admission.keyRefusals.record(named.keyId, named.code)
  }
  services.metrics.request({ method, route: route ?? 'none', status: reply.statusCode, seconds: reply.elapsedTime / 1000 })
}

function knownPaths(endpoints: Endpoint[], groups: RouteGroup[], sides: Sides): KnownPath[] {
  const paths = groups.flatMap((group) => group.paths)
  if (!sides.public) return paths
  const rest = endpoints.map(({ path, method }) => ({ path: `/api/v1${path}`, methods: [method] }))
  return [...paths, ...rest, uploadAddressPath, { path: '/r/{token}', methods: ['GET', 'HEAD'] }]
}
