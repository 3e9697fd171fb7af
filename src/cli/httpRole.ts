import type { Config } from '../config/readConfig.ts'
import { makeKeyUseNotes } from '../domain/access/noteKeyUse.ts'
import { makeRequestGate } from '../domain/access/requestGate.ts'
import type { Services } from '../domain/context.ts'
import { bindSql } from '../domain/sql.ts'
import { type App, buildApp } from '../http/app.ts'
import type { Readiness } from '../http/health.ts'
import { endpoints } from '../rest/endpoints.ts'
import { describe } from '../rest/openapi.ts'
import { graphqlDoor } from '../schema/endpoint.ts'
import { doors } from '../schema/execute.ts'
import { version } from './version.ts'

export type HttpRole = { drain(): Promise<void> }

/** Serves HTTP on the listeners of the configuration until drained. */
export async function startHttp(
  services: Services,
  options: { config: Config; listeners: { serves: 'everything' | 'public' | 'internal'; port: number }[]; processId: string; readiness: Readiness },
): Promise<HttpRole> {
  const { config } = options
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
  const apps: App[] = []
  for (const { serves, port } of options.listeners) {
    const sides = { public: serves !== 'internal', internal: serves !== 'public' }
    const others = sides.internal ? [graphqlDoor(services, { serviceToken: config.serviceToken, embedded: config.database.kind === 'embedded' })] : []
    const app = await buildApp({ services, admission, doors, endpoints: table, readiness: options.readiness, others, sides })
    apps.push(app)
    await app.fastify.listen({ host: config.host, port })
  }
  return {
    drain: async () => {
      await Promise.all(apps.map((app) => app.drain()))
      await gate.close()
    },
  }
}
