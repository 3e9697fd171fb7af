import { createServer, type RequestListener, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onceIn } from '../concurrency/onceIn.ts'
import type { Log } from '../domain/context.ts'
import type { Metrics } from '../domain/metrics.ts'
import { type Readiness, readinessMs } from './health.ts'
import { oneAtATime } from './pipelining.ts'

export type WatchOptions = { host: string; port: number; metrics: Metrics; readiness: Readiness; log: Log }

/** `port`: the one that was taken. `leave`: `/readyz` says no from now on. */
export type WatchListener = { port: number; leave(): void; close(): Promise<void> }

/** Headers and connections of those who look every few seconds. */
const limitsOfServer = { requestTimeout: 5000, headersTimeout: 5000, connectionsCheckingInterval: 1000, maxHeaderSize: 16_384 }
const connectionsMax = 100
/** An answer of which nobody takes anything for so long is given up. */
const silenceMs = 30_000

/**
 * What a process that only works answers to those who watch it: `/metrics`, `/healthz` and `/readyz`, to anybody who reaches it, so that it
 * belongs on an address that only your own machines reach. Rejects when the port is taken.
 */
export async function openWatchListener({ host, port, metrics, readiness, log }: WatchOptions): Promise<WatchListener> {
  let leaving = false
  const ready = onceIn(readinessMs, readiness)
  const answers: Record<string, (response: ServerResponse) => Promise<void>> = {
    '/healthz': async (response) => json(response, 200, { status: 'ok' }),
    '/readyz': async (response) => {
      const found = leaving ? { ready: false, faults: ['shutting down'] } : await ready().answer
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
      log.warn({ error }, 'figures could not be told')
      json(response, 500, { status: 'failed' })
    })
  }
  const server = createServer(limitsOfServer, oneAtATime(handle))
  server.maxConnections = connectionsMax
  server.setTimeout(silenceMs)
  await listening(server, { host, port })
  return {
    port: (server.address() as AddressInfo).port,
    leave: () => {
      leaving = true
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
