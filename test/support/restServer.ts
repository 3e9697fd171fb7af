import type { AddressInfo } from 'node:net'
import { makeRequestGate } from '../../src/domain/access/requestGate.ts'
import type { Services } from '../../src/domain/context.ts'
import { newId } from '../../src/domain/ids.ts'
import { bindSql } from '../../src/domain/sql.ts'
import { buildApp } from '../../src/http/app.ts'
import { endpoints } from '../../src/rest/endpoints.ts'
import { describe } from '../../src/rest/openapi.ts'
import { doors } from '../../src/schema/execute.ts'

export type RestServer = {
  /** Ends in `/api/v1`. */
  baseUrl: string
  port: number
  /** Sends a request with a key and reads its answer as JSON. */
  ask(key: string, path: string, init?: RequestInit): Promise<{ status: number; headers: Headers; body: RestBody }>
  close(): Promise<void>
}

export type RestBody = Record<string, never> & { error?: { code: string; retryable: boolean; details?: Record<string, unknown> } }

/** The REST door on a port of its own, put together as the service does. */
export async function restServer(services: Services): Promise<RestServer> {
  const { clock, settings, pool } = services
  const gate = makeRequestGate({
    sql: bindSql(pool),
    processId: newId('proc'),
    clock,
    requestsInProgress: settings.requestsInProgress,
    onError: (error) => services.log.warn({ error }, 'freed slots could not be written'),
  })
  const table = endpoints(() => describe(table, { publicUrl: settings.publicUrl, version: '0.0.0' }))
  const app = await buildApp({
    services,
    admission: { gate, clock, settings, noteUse: () => undefined },
    doors,
    endpoints: table,
    readiness: async () => ({ ready: true, faults: [] }),
    others: [],
  })
  await app.fastify.listen({ host: '127.0.0.1', port: 0 })
  const { port } = app.fastify.server.address() as AddressInfo
  const baseUrl = `http://127.0.0.1:${port}/api/v1`
  return {
    baseUrl,
    port,
    async ask(key, path, init = {}) {
      const headers = { ...(init.headers as Record<string, string>), authorization: `Bearer ${key}` }
      const response = await fetch(`${baseUrl}${path}`, { ...init, headers })
      return { status: response.status, headers: response.headers, body: (await response.json()) as RestBody }
    },
    async close() {
      await app.drain()
      await gate.close()
    },
  }
}
