import type { Config } from '../config/readConfig.ts'
import { makeKeyUseNotes } from '../domain/access/noteKeyUse.ts'
import { makeRequestGate } from '../domain/access/requestGate.ts'
import type { Services } from '../domain/context.ts'
import { bindSql } from '../domain/sql.ts'
import { type App, buildApp, type Patience } from '../http/app.ts'
import { graphiql } from '../http/graphiql.ts'
import type { Readiness } from '../http/health.ts'
import { makeMetrics } from '../http/metrics.ts'
import { referencePage } from '../http/referencePage.ts'
import { admitStray } from '../rest/admission.ts'
import { endpoints } from '../rest/endpoints.ts'
import { describe } from '../rest/openapi.ts'
import { type GraphqlOptions, graphqlDoor } from '../schema/endpoint.ts'
import { doors } from '../schema/execute.ts'
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
  patience?: Patience
}

/** Serves HTTP on the listeners of the configuration until drained. */
export async function startHttp(services: Services, options: HttpOptions): Promise<HttpRole> {
  const { config, readiness, patience } = options
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
    embedded: config.database.kind === 'embedded',
    countStranger: (request, reply) => admitStray(request, reply, admission),
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
      doors,
      endpoints: table,
      readiness,
      others,
      sides,
      patience,
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
