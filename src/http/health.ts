import type { FastifyInstance } from 'fastify'

export type Readiness = () => Promise<{ ready: boolean; faults: string[] }>

/** `/healthz` says that the event loop turns; `/readyz` that requests would be served. */
export function health(options: { readiness: Readiness; draining: () => boolean }) {
  return async (app: FastifyInstance): Promise<void> => {
    app.get('/healthz', async (_request, reply) => reply.header('Cache-Control', 'no-store').send({ status: 'ok' }))
    app.get('/readyz', async (_request, reply) => {
      const { ready, faults } = options.draining() ? { ready: false, faults: ['shutting down'] } : await options.readiness()
      return reply
        .code(ready ? 200 : 503)
        .header('Cache-Control', 'no-store')
        .headers(ready ? {} : { 'Retry-After': '5' })
        .send({ status: ready ? 'ready' : 'not ready', faults })
    })
  }
}
