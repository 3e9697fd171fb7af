import type { FastifyInstance, FastifyRequest } from 'fastify'
import { isTracing, openSpan, type Span, within } from '../../tracing/tracing.ts'

const spans = new WeakMap<FastifyRequest, Span>()

/**
 * Creates a trace per request, named after its route. The caller's `traceparent` becomes a link, so that callers can neither join our traces
 * nor control sampling. Turn tracing on before calling this.
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
  // Events of the socket, such as body chunks, run outside the span of the request.
  fastify.addHook('preHandler', (request, _reply, done) => within(spans.get(request), done))
}
