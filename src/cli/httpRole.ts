import type { Config } from '../config/readConfig.ts'
import { makeKeyUseNotes } from '../domain/access/noteKeyUse.ts'
import { makeRequestGate } from '../domain/access/requestGate.ts'
import type { Services } from '../domain/context.ts'
import { bindSql } from '../domain/sql.ts'
import { type GraphqlOptions, graphqlDoor } from '../graphql/graphqlDoor.ts'
import { type App, buildApp, type Timeouts } from '../http/app.ts'
import { graphiql } from '../http/graphiql.ts'
import type { Readiness } from '../http/health.ts'
import { makeMetrics } from '../http/metrics.ts'
import { referencePage } from '../http/referencePage.ts'
import { endpoints } from '../rest/endpoints.ts'
import { describe } from '../rest/openapi.ts'
import { operations } from '../schema/operations.ts'
import { admitUnmatched } from '../transport/admission.ts'
import { isLoopback } from '../transport/localCaller.ts'
import { version } from './version.ts'

export type HttpRole = {
  /** One for each listener, in their order. */
  apps: App[]
  drain(unreadyMs?: number): Promise<void>
}

export type HttpOptions = {
  config: Pick<Config, 'host' | 'serviceToken' | 'database'>
  listeners: { serves: 'everything' | 'public' | 'internal'; port: number }[]
  processId: string
  readiness: Readiness
  timeouts?: Timeouts
}

/** Serves HTTP on the listeners of the configuration until drained. */
export async function startHttp(services: Services, options: HttpOptions): Promise<HttpRole> {
  const { config, readiness, timeouts } = options
  const { clock, log, settings } = services
  const gate = makeRequestGate({
    sql: bindSql(services.pool),
    processId: options.processId,
    clock,
    requestsInProgress: settings.requestsInProgress,
    onError: (error) => log.warn({ error }, 'freed slots could not be written'),
  })
  const admission = { gate, clock, settings, noteUse: makeKeyUseNotes(services) }
  const table = endpoints(() => document)
  const document = describe(table, { publicUrl: settings.publicUrl, version })
  const graphqlOptions: GraphqlOptions = {
    serviceToken: config.serviceToken,
    openToLocal: config.database.kind === 'embedded' && isLoopback(config.host),
    countUnknown: (request, reply) => admitUnmatched(request, reply, admission),
    pages: graphiql(),
  }
  const metrics = makeMetrics(services)
  const apps: App[] = []
  for (const { serves, port } of options.listeners) {
    const sides = { public: serves !== 'internal', internal: serves !== 'public' }
    const others = [
      ...(sides.public ? [referencePage(document)] : []),
      ...(sides.internal ? [graphqlDoor(services, graphqlOptions), metrics.door] : []),
    ]
    const app = await buildApp({
      services,
      admission,
      operations,
      endpoints: table,
      readiness,
      others,
      sides,
      timeouts,
      observe: metrics.observe,
    })
    apps.push(app)
    await app.fastify.listen({ host: config.host, port })
  }
  return {
    apps,
    drain: async (unreadyMs) => {
      await Promise.all(apps.map((app) => app.drain(unreadyMs)))
      await gate.close()
    },
  }
}
