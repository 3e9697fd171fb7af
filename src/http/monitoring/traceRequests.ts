import type { FastifyInstance, FastifyRequest } from 'fastify'
import { isTracing, openSpan, type Span, within } from '../../tracing/tracing.ts'

const spans = new WeakMap<FastifyRequest, Span>()

/**
 * Makes each request a trace of its own, named after its route. A `traceparent` of a caller becomes a link and decides nothing: strangers
 * neither join our traces nor choose what is sampled. Looks once, so traces must be on before requests come.
 */
export function traceRequests(fastify: FastifyInstance): void {
  if (!isTracing()) return
  fastify.addHook('onRequest', (request, reply, done) => {
    const { method, headers, routeOptions } = request
    const route = routeOptions.url ?? 'none'
    const { traceparent } = headers
    const span = openSpan(`${method} ${route}`, {
      kind: 'server',
      link: typeof traceparent === 'string' ? traceparent : undefined,
      attributes: { 'http.request.method': method, 'http.route': route, 'atelier.request_id': request.id },
    })
    if (!span) return done()
    spans.set(request, span)
    reply.raw.once('close', () => {
      const status = reply.raw.statusCode
      span.add({ 'http.response.status_code': status })
      if (status >= 500) span.fail(String(status))
      span.end()
    })
    within(span, done)
  })
  // A body comes in by the events of its socket, which know nothing of the request.
  fastify.addHook('preHandler', (request, _reply, done) => within(spans.get(request), done))
}
