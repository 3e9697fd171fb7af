import { createServer, type RequestListener, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { memoizeFor } from '../../concurrency/memoizeFor.ts'
import type { Log } from '../../domain/context.ts'
import type { Metrics } from '../../domain/metrics.ts'
import { limitPipelining } from '../limits/limitPipelining.ts'
import { type Readiness, readinessCacheMs } from './health.ts'

export type MonitoringOptions = { host: string; port: number; metrics: Metrics; readiness: Readiness; log: Log }

/** `port`: the actual port. `leave`: `/readyz` fails from now on. */
export type MonitoringListener = { port: number; leave(): void; close(): Promise<void> }

/** Limits for monitoring systems, which poll every few seconds. */
const limitsOfServer = { requestTimeout: 5000, headersTimeout: 5000, connectionsCheckingInterval: 1000, maxHeaderSize: 16_384 }
const connectionsMax = 100
/** A response that the client does not read for this time is aborted. */
const silenceMs = 30_000

/**
 * Opens the monitoring listener of a process that only runs jobs: `/metrics`, `/healthz` and `/readyz`, without authentication. Use an
 * address that only your own machines can reach. Rejects when the port is in use.
 */
export async function openMonitoringListener({ host, port, metrics, readiness, log }: MonitoringOptions): Promise<MonitoringListener> {
  let isDraining = false
  const ready = memoizeFor(readinessCacheMs, readiness)
  const answers: Record<string, (response: ServerResponse) => Promise<void>> = {
    '/healthz': async (response) => json(response, 200, { status: 'ok' }),
    '/readyz': async (response) => {
      const found = isDraining ? { ready: false, faults: ['shutting down'] } : await ready().answer
      json(response, found.ready ? 200 : 503, { status: found.ready ? 'ready' : 'not ready', faults: found.faults })
    },
    '/metrics': async (response) => {
      const { contentType, text } = await metrics.render()
      response.writeHead(200, { 'content-type': contentType }).end(text)
    },
  }
  const handle: RequestListener = (request, response) => {
    const answer = request.method === 'GET' ? answers[request.url ?? ''] : undefined
    if (!answer) return json(response, 404, { status: 'not found' })
    answer(response).catch((error: unknown) => {
      log.warn({ error }, 'a monitoring request failed')
      json(response, 500, { status: 'failed' })
    })
  }
  const server = createServer(limitsOfServer, limitPipelining(handle))
  server.maxConnections = connectionsMax
  server.setTimeout(silenceMs)
  await listening(server, { host, port })
  return {
    port: (server.address() as AddressInfo).port,
    leave: () => {
      isDraining = true
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

function json(response: ServerResponse, status: number, body: object): void {
  if (response.headersSent) return void response.destroy()
  response.writeHead(status, { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' }).end(JSON.stringify(body))
}

function listening(server: Server, where: { host: string; port: number }): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(where.port, where.host, () => resolve())
  })
}
