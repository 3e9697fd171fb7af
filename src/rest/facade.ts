import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { parseOrRefuse } from '../contract/issues.ts'
import type { KeyActor } from '../domain/access/actor.ts'
import { contextFor, type Services } from '../domain/context.ts'
import { limits } from '../domain/limits.ts'
import type { Doors } from '../schema/execute.ts'
import { type AdmissionOptions, admit } from './admission.ts'
import type { Answer, Call, Endpoint } from './endpoint.ts'
import { errorHandler } from './errors.ts'
import { parseJsonBody, requireJsonType } from './readJson.ts'
import { readQuery } from './readQuery.ts'

export type FacadeOptions = {
  services: Services
  admission: AdmissionOptions
  doors: Doors
  endpoints: Endpoint[]
  /** Aborts when the process shuts down: open waits then end as if their time had passed. */
  shutdown: AbortSignal
}

const actors = new WeakMap<FastifyRequest, KeyActor>()

/** The REST door: each endpoint of the table becomes a route that only translates. Contract: section 3. */
export function restFacade(options: FacadeOptions) {
  return async (app: FastifyInstance): Promise<void> => {
    app.removeAllContentTypeParsers()
    app.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: limits.requestBodyBytes }, (_request, body, done) => done(null, body))
    app.setErrorHandler(errorHandler(options.services.log))
    for (const each of options.endpoints) addRoute(app, each, options)
  }
}

function addRoute(app: FastifyInstance, endpoint: Endpoint, options: FacadeOptions): void {
  const execute = options.doors.compile(endpoint.operation)
  app.route({
    method: endpoint.method,
    url: routePath(endpoint.path),
    onRequest: async (request, reply) => {
      actors.set(request, await admit(request, reply, endpoint.scope, options.admission))
      if (endpoint.body) requireJsonType(request, endpoint.body.optional ?? false)
    },
    handler: async (request, reply) => {
      const actor = actors.get(request) as KeyActor
      const context = contextFor(options.services, actor)
      const signal = leaving(reply, options.shutdown)
      const body = endpoint.body && parseOrRefuse(endpoint.body.schema, bodyOf(request, endpoint), 'body')
      const call: Call<unknown, unknown> = {
        context,
        actor,
        parameters: request.params as Record<string, string>,
        query: parseOrRefuse(endpoint.query, readQuery(request.url), 'query'),
        body,
        header: (name) => {
          const value = request.headers[name]
          return Array.isArray(value) ? value.join(', ') : value
        },
        headerCount: (name) => request.raw.headersDistinct[name]?.length ?? 0,
        signal,
        run: (variables) => execute(variables, context, signal),
      }
      return send(reply, await endpoint.handle(call))
    },
  })
}

function bodyOf(request: FastifyRequest, endpoint: Endpoint): Record<string, unknown> {
  const bytes = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0)
  return endpoint.body?.optional && bytes.length === 0 ? {} : parseJsonBody(bytes)
}

function send(reply: FastifyReply, answer: Answer): FastifyReply {
  if (answer.headers) reply.headers(answer.headers)
  if (answer.body === undefined) return reply.code(answer.status).send()
  return reply.code(answer.status).type('application/json; charset=utf-8').send(JSON.stringify(answer.body))
}

/** Aborts when the client leaves before its answer, or at shutdown. */
function leaving(reply: FastifyReply, shutdown: AbortSignal): AbortSignal {
  const controller = new AbortController()
  const abort = () => controller.abort()
  shutdown.addEventListener('abort', abort, { once: true })
  reply.raw.once('close', () => {
    shutdown.removeEventListener('abort', abort)
    abort()
  })
  if (shutdown.aborted) abort()
  return controller.signal
}

/** Our `{id}` in Fastify's way of writing. */
function routePath(path: string): string {
  return path.replaceAll(/\{(\w+)\}/g, ':$1')
}
