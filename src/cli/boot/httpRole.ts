import { join } from 'node:path'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { authDoor } from '../../auth/authDoor.ts'
import { authenticateSession } from '../../auth/authenticateSession.ts'
import type { ListenerConfig } from '../../config/listeners.ts'
import type { Config } from '../../config/readConfig.ts'
import type { PersonActor } from '../../domain/access/actor.ts'
import { makeAdmissionBatcher } from '../../domain/access/admission/admissionBatcher.ts'
import { makeKeyRefusalRecorder } from '../../domain/access/keys/keyRefusalRecorder.ts'
import { makeKeyUseRecorder } from '../../domain/access/keys/keyUseRecorder.ts'
import type { Services } from '../../domain/context.ts'
import { bindSql } from '../../domain/sql.ts'
import { graphqlRoutes } from '../../graphql/graphqlRoutes.ts'
import { type App, buildApp } from '../../http/app.ts'
import { docsRoutes } from '../../http/docs/docsRoutes.ts'
import { defaultBodyBudget, makeBodyBudget } from '../../http/limits/bodyBudget.ts'
import type { Clients, ConnectionLimits } from '../../http/limits/limitConnections.ts'
import type { Timeouts } from '../../http/listener.ts'
import type { Readiness } from '../../http/monitoring/health.ts'
import { metricsRoute } from '../../http/monitoring/metricsRoute.ts'
import { adminUi } from '../../http/pages/adminUi.ts'
import { graphiql } from '../../http/pages/graphiql.ts'
import { forwardedIdHeader } from '../../http/proxy/forwardedHeaders.ts'
import type { UpstreamTimeouts } from '../../http/proxy/internalUpstream.ts'
import type { RouteGroup } from '../../http/routeGroup.ts'
import { mcpRoutes } from '../../mcp/mcpRoutes.ts'
import { isTrusted, rateLimitAddress } from '../../network/clientAddress.ts'
import { endpoints } from '../../rest/endpoints.ts'
import { describe } from '../../rest/openapi.ts'
import { operations } from '../../schema/operations.ts'
import { anonymousInProgressMax, cheapRequestsPerRequest, makeAddressLimits } from '../../transport/addressLimits.ts'
import { type AdmissionOptions, countExtraRequests, countRequest } from '../../transport/admission.ts'
import { isLoopback } from '../../transport/localCaller.ts'
import { version } from '../version.ts'
import { internalProxyDoor } from './internalProxyDoor.ts'
import { servesPublic } from './listeners.ts'
import { makeRequestIds } from './requestIds.ts'

export type HttpRole = {
  /** One app for each listener, in the same order. */
  apps: App[]
  drain(unreadyMs?: number): Promise<void>
}

export type HttpOptions = {
  config: Pick<Config, 'serviceToken' | 'database' | 'trustedProxies'> & Partial<Pick<Config, 'internalUrl' | 'oidc'>>
  listeners: ListenerConfig[]
  processId: string
  readiness: Readiness
  timeouts?: Timeouts
  connectionLimits?: ConnectionLimits
  /** The maximum of anonymous requests in progress from one address. */
  anonymousInProgressMax?: number
  /** Replaces the built admin UI. */
  adminUi?: RouteGroup | undefined
  /** Time limits for the process at INTERNAL_URL. */
  defaultUpstreamTimeouts?: UpstreamTimeouts
}

/** The output of `npm run build`. */
const adminUiFolder = join(import.meta.dirname, '../../../dist/admin-ui')

/** Serves HTTP on the listeners of the configuration until drained. */
export async function startHttp(services: Services, options: HttpOptions): Promise<HttpRole> {
  const { config, readiness, timeouts } = options
  const { settings, log, docUrls } = services
  const admission = admissionOf(services, options)
  const table = endpoints(() => document)
  const document = describe(table, { publicUrl: settings.publicUrl, version })
  const { serviceToken, database, trustedProxies, internalUrl } = config
  const requestIds = makeRequestIds(services.ring)
  const count = (request: FastifyRequest, reply: FastifyReply) => countRequest(request, reply, admission)
  const isEmbedded = database.kind === 'embedded'
  const internalOnly = !options.listeners.some(servesPublic)
  const docs = docsRoutes(document, { open: isEmbedded, publicUrl: settings.publicUrl, count })
  const adminUiDoor = options.adminUi ?? adminUi({ folder: adminUiFolder, count, countAsset: admission.addressLimits.count })
  const reserveBody = makeBodyBudget(defaultBodyBudget)
  const apps: App[] = []
  for (const { serves, host, port } of options.listeners) {
    const sides = { public: serves !== 'internal', internal: serves !== 'public', liveness: serves !== 'internal' || internalOnly }
    const tools = {
      serviceToken,
      allowLocalIntrospection: isEmbedded && isLoopback(host),
      countAnonymous: count,
      authenticateSession: authenticateSession(services, admission),
      countExtraRequests: (reply: FastifyReply, { userId }: PersonActor, requests: number) =>
        countExtraRequests(reply, { userId, requests }, admission),
      addressOf: admission.addressOf,
      pages: graphiql(),
      isProxied: ({ headers }: FastifyRequest) => headers[forwardedIdHeader] !== undefined,
    }
    const auth = authDoor(services, { count, addressOf: admission.addressOf, oidc: config.oidc })
    const metrics = metricsRoute(services.metrics, { open: serves === 'internal', serviceToken, count })
    const others = [
      ...(sides.public ? [docs, mcpRoutes(services, { admission, operations, version })] : []),
      ...(sides.internal ? [auth, graphqlRoutes(services, tools), metrics, adminUiDoor] : []),
      ...internalProxyDoor({ serves, internalUrl, log, docUrls, requestIds, admission, times: options.defaultUpstreamTimeouts }),
    ]
    const app = await buildApp({
      services,
      admission,
      operations,
      endpoints: table,
      readiness,
      others,
      sides,
      clients: clientsOf(trustedProxies),
      reserveBody,
      timeouts,
      connectionLimits: options.connectionLimits,
      idOf: requestIds.idOf,
    })
    apps.push(app)
    // For `localhost`, Fastify opens a second server without the connection limits.
    await app.fastify.listen({ host: host === 'localhost' ? '127.0.0.1' : host, port })
  }
  return {
    apps,
    drain: async (unreadyMs) => {
      await Promise.all(apps.map((app) => app.drain(unreadyMs)))
      await Promise.all([admission.keyRefusals.flush(), admission.admissionBatcher.close()])
    },
  }
}

function clientsOf(trustedProxies: Config['trustedProxies']): Clients {
  return {
    of: (address) => rateLimitAddress([address]),
    isTrustedProxy: (address) => isTrusted(address, trustedProxies),
  }
}

/** Counts and admits requests, over all listeners of a process. */
function admissionOf(
  services: Services,
  { processId, anonymousInProgressMax: inProgressMax = anonymousInProgressMax }: HttpOptions,
): AdmissionOptions {
  const { clock, log, settings } = services
  const admissionBatcher = makeAdmissionBatcher({
    sql: bindSql(services.pool),
    processId,
    clock,
    limits: settings,
    onError: (error) => log.warn({ error }, 'writing released slots failed'),
  })
  const addressOf = (request: FastifyRequest) => rateLimitAddress(request.ips ?? [request.ip])
  const requestsPerMinute = settings.requestsPerMinute * cheapRequestsPerRequest
  return {
    admissionBatcher,
    clock,
    settings,
    addressOf,
    addressLimits: makeAddressLimits({ addressOf, clock, requestsPerMinute, inProgressMax }),
    recordKeyUse: makeKeyUseRecorder(services),
    keyRefusals: makeKeyRefusalRecorder(services),
  }
}
