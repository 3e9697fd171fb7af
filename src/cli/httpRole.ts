import { join } from 'node:path'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { authDoor } from '../auth/authDoor.ts'
import { personOf } from '../auth/personOf.ts'
import type { Config, ListenerConfig } from '../config/readConfig.ts'
import type { PersonActor } from '../domain/access/actor.ts'
import { makeKeyUseNotes } from '../domain/access/noteKeyUse.ts'
import { makeRequestGate } from '../domain/access/requestGate.ts'
import type { Services } from '../domain/context.ts'
import { bindSql } from '../domain/sql.ts'
import { graphqlDoor } from '../graphql/graphqlDoor.ts'
import { adminUi } from '../http/adminUi.ts'
import { type App, buildApp } from '../http/app.ts'
import { defaultBodyBudget, makeBodyBudget } from '../http/bodyBudget.ts'
import type { Clients, ConnectionLimits } from '../http/connectionLimits.ts'
import { docsDoor } from '../http/docs/docsDoor.ts'
import type { Door } from '../http/door.ts'
import { graphiql } from '../http/graphiql.ts'
import type { Readiness } from '../http/health.ts'
import type { InternalTimes } from '../http/internalSide.ts'
import type { Timeouts } from '../http/listener.ts'
import { metricsDoor } from '../http/metricsDoor.ts'
import { mcpDoor } from '../mcp/mcpDoor.ts'
import { countedAddress, isTrusted } from '../network/clientAddress.ts'
import { endpoints } from '../rest/endpoints.ts'
import { describe } from '../rest/openapi.ts'
import { operations } from '../schema/operations.ts'
import { anonymousInProgressMax, cheapRequestsPerRequest, makeAddressLimits } from '../transport/addressLimits.ts'
import { type AdmissionOptions, countMore, countRequest } from '../transport/admission.ts'
import { isLoopback } from '../transport/localCaller.ts'
import { servesPublic } from './listening.ts'
import { passOnDoor } from './passOnDoor.ts'
import { makeRequestIds } from './requestIds.ts'
import { version } from './version.ts'

export type HttpRole = {
  /** One for each listener, in their order. */
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
  /** Requests in progress of one address that hold no slot of a user. */
  anonymousInProgressMax?: number
  /** In place of the bundle. */
  adminUi?: Door | undefined
  /** How long the process that INTERNAL_URL names may take. */
  internalTimes?: InternalTimes
}

/** Where `npm run build` puts it. */
const adminUiFolder = join(import.meta.dirname, '../../dist/admin-ui')

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
  const docs = docsDoor(document, { open: isEmbedded, publicUrl: settings.publicUrl, count })
  const adminUiDoor = options.adminUi ?? adminUi({ folder: adminUiFolder, count, countAsset: admission.addressLimits.count })
  const reserveBody = makeBodyBudget(defaultBodyBudget)
  const apps: App[] = []
  for (const { serves, host, port } of options.listeners) {
    const sides = { public: serves !== 'internal', internal: serves !== 'public', liveness: serves !== 'internal' || internalOnly }
    const tools = {
      serviceToken,
      openToLocal: isEmbedded && isLoopback(host),
      countUnknown: count,
      personOf: personOf(services, admission),
      countMore: (reply: FastifyReply, { userId }: PersonActor, requests: number) => countMore(reply, { userId, requests }, admission),
      addressOf: admission.addressOf,
      pages: graphiql(),
    }
    const others = [
      ...(sides.public ? [docs, mcpDoor(services, { admission, operations, version })] : []),
      ...(sides.internal ? [authDoor(services, { count, addressOf: admission.addressOf, oidc: config.oidc })] : []),
      ...(sides.internal
        ? [graphqlDoor(services, tools), metricsDoor(services.metrics, { open: serves === 'internal', serviceToken, count }), adminUiDoor]
        : []),
      ...passOnDoor({ serves, internalUrl, log, docUrls, requestIds, admission, times: options.internalTimes }),
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
    // For `localhost` Fastify opens a second server, which has none of our limits of connections.
    await app.fastify.listen({ host: host === 'localhost' ? '127.0.0.1' : host, port })
  }
  return {
    apps,
    drain: async (unreadyMs) => {
      await Promise.all(apps.map((app) => app.drain(unreadyMs)))
      await admission.gate.close()
    },
  }
}

function clientsOf(trustedProxies: Config['trustedProxies']): Clients {
  return {
    of: (address) => countedAddress([address]),
    isTrustedProxy: (address) => isTrusted(address, trustedProxies),
  }
}

/** How requests are counted and let in, over all listeners of a process. */
function admissionOf(
  services: Services,
  { processId, anonymousInProgressMax: inProgressMax = anonymousInProgressMax }: HttpOptions,
): AdmissionOptions {
  const { clock, log, settings } = services
  const gate = makeRequestGate({
    sql: bindSql(services.pool),
    processId,
    clock,
    requestsInProgress: settings.requestsInProgress,
    onError: (error) => log.warn({ error }, 'freed slots could not be written'),
  })
  const addressOf = (request: FastifyRequest) => countedAddress(request.ips ?? [request.ip])
  const requestsPerMinute = settings.requestsPerMinute * cheapRequestsPerRequest
  return {
    gate,
    clock,
    settings,
    addressOf,
    addressLimits: makeAddressLimits({ addressOf, clock, requestsPerMinute, inProgressMax }),
    noteUse: makeKeyUseNotes(services),
  }
}
