import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { limits } from '../contract/limits.ts'
import { parseOrRefuse } from '../contract/refusals/issues.ts'
import { contextFor, type Services } from '../domain/context.ts'
import { invariant } from '../domain/invariant.ts'
import type { Operations } from '../schema/operations.ts'
import { abortOnDisconnect } from '../transport/abortOnDisconnect.ts'
import { type AdmissionOptions, type AdmittedCaller, admit, countItems } from '../transport/admission.ts'
import { parseJsonBody, requireJsonType, waitForParseSlice } from '../transport/readJson.ts'
import { readQuery } from '../transport/readQuery.ts'
import { addRequestLogFields, generationIdOf } from '../transport/requestLogFields.ts'
import { requestOrigin } from '../transport/requestOrigin.ts'
import { serializeResponse } from '../transport/serializeResponse.ts'
import { errorHandler } from '../transport/translateError.ts'
import type { Answer, Call, Endpoint } from './endpoint.ts'
import { eventStream, eventStreamHeaders } from './eventStream.ts'

export type RestOptions = {
  services: Services
  admission: AdmissionOptions
  operations: Operations
  endpoints: Endpoint[]
  /** Aborts when the process shuts down: open waits then end early. */
  shutdown: AbortSignal
}

declare module 'fastify' {
  interface FastifyRequest {
    /** The admitted caller of a REST request. */
    admittedCaller: AdmittedCaller | null
  }
}

/** The routes of the REST interface: each one translates between HTTP and an operation. Contract: docs/contract.md#requests. */
export function restRoutes(options: RestOptions) {
  return async (app: FastifyInstance): Promise<void> => {
    app.decorateRequest('admittedCaller', null)
    app.removeAllContentTypeParsers()
    app.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: limits.requestBodyBytes }, (_request, body, done) => done(null, body))
    app.setErrorHandler(errorHandler(options.services))
    for (const each of options.endpoints) {
      if (each.streamedBody || each.method === 'DELETE') await app.register(unparsedRoute(each, options))
      else addRoute(app, each, options)
    }
  }
}

/** A route in its own plugin scope, without body parsing: the endpoint reads the body, or ignores it (DELETE). */
function unparsedRoute(endpoint: Endpoint, options: RestOptions) {
  return async (app: FastifyInstance): Promise<void> => {
    app.removeAllContentTypeParsers()
    app.addContentTypeParser('*', (_request, _payload, done) => done(null))
    addRoute(app, endpoint, options)
  }
}

function addRoute(app: FastifyInstance, endpoint: Endpoint, options: RestOptions): void {
  const answer = makeResponder(endpoint, options)
  app.route({
    method: endpoint.method,
    url: routePath(endpoint.path),
    config: { streamsBody: endpoint.streamedBody !== undefined },
    onRequest: async (request, reply) => {
      const generationId = endpoint.readsGeneration ? parametersOf(request)['id'] : undefined
      addRequestLogFields(request, { generationId: generationIdOf({ generationId }) })
      request.admittedCaller = await admit(request, reply, { scope: endpoint.scope, generationId }, options.admission)
      requireContentType(request, endpoint)
    },
    handler: async (request, reply) => {
      const call = await readCall(request, reply, endpoint, options)
      const ends: (() => void)[] = []
      call.context.onAnswerWritten = (end) => ends.push(end)
      try {
        return await answer(call, reply)
      } finally {
        for (const end of ends) end()
      }
    },
  })
}

function defaultAnswer({ success: { status } }: Endpoint, result: unknown): Answer {
  return { status, body: status === 204 ? undefined : result }
}

type AnyCall = Call<unknown, unknown>

/** The function that runs an endpoint. Validates its operation against the schema at the start of the process. */
function makeResponder(endpoint: Endpoint, { operations }: RestOptions): (call: AnyCall, reply: FastifyReply) => Promise<FastifyReply> {
  const { source } = endpoint
  const answer = endpoint.answer ?? ((result: unknown) => defaultAnswer(endpoint, result))
  switch (source.kind) {
    case 'own':
      return async (call, reply) => send(reply, answer(source.result(), call))
    case 'subscription': {
      const follow = operations.follow(source)
      return async (call, reply) => {
        const values = await follow(source.variables?.(call) ?? {}, call.context, call)
        return reply.headers(eventStreamHeaders).send(eventStream(values, { ...source, lastEventId: call.header('last-event-id') }))
      }
    }
    case 'query':
    case 'mutation': {
      const run = operations.compile(source)
      return async (call, reply) => {
        const result = await run(source.variables?.(call) ?? {}, call.context, call)
        if (result === undefined && source.orRefuse) throw source.orRefuse(call)
        return send(reply, answer(result, call))
      }
    }
  }
}

function parametersOf({ params }: FastifyRequest): Record<string, string> {
  return params as Record<string, string>
}

/** The stage `content type and size`, before the body is read. Without a body, the content type is ignored. */
function requireContentType(request: FastifyRequest, { body, streamedBody }: Endpoint): void {
  if (!body && !streamedBody) delete request.headers['content-type']
  if (body) requireJsonType(request, body.optional ?? false)
  streamedBody?.check(request)
}

/** Parses the request: the stage `body or query`. */
async function readCall(request: FastifyRequest, reply: FastifyReply, endpoint: Endpoint, options: RestOptions): Promise<AnyCall> {
  const { admittedCaller } = request
  invariant(admittedCaller, 'a request is admitted before it is read')
  const { actor, generation } = admittedCaller
  const parameters = parametersOf(request)
  let signal: AbortSignal | undefined
  return {
    context: {
      ...contextFor(options.services, actor, requestOrigin(request, options.admission.addressOf)),
      countRequests: (requests) => countItems(reply, { userId: actor.userId, requests }, options.admission),
      ...(endpoint.readsGeneration ? { preloadedGeneration: { id: parameters['id'] ?? '', generation } } : {}),
    },
    actor,
    parameters,
    query: parseOrRefuse(endpoint.query, readQuery(request.url, endpoint.queryObjects), 'query'),
    body: await readBody(request, reply, endpoint),
    header: (name) => {
      const value = request.headers[name]
      return Array.isArray(value) ? value.join(', ') : value
    },
    headerCount: (name) => request.raw.rawHeaders.filter((each, index) => index % 2 === 0 && each.toLowerCase() === name).length,
    get signal() {
      signal ??= abortOnDisconnect(reply, options.shutdown)
      return signal
    },
  }
}

async function readBody(request: FastifyRequest, reply: FastifyReply, { body, streamedBody }: Endpoint): Promise<unknown> {
  // Only a disconnect aborts an upload: at a shutdown, uploads in progress finish.
  if (streamedBody) return await streamedBody.read(request, abortOnDisconnect(reply))
  return body && parseOrRefuse(body.schema, await parsedBody(request, body.optional ?? false), 'body')
}

async function parsedBody(request: FastifyRequest, isOptional: boolean): Promise<Record<string, unknown>> {
  const bytes = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0)
  if (isOptional && bytes.length === 0) return {}
  await waitForParseSlice(bytes)
  return parseJsonBody(bytes)
}

/** An answer may have a secret, so that only one with an ETag may be kept. */
async function send(reply: FastifyReply, answer: Answer): Promise<FastifyReply> {
  if (answer.headers) reply.headers(answer.headers)
  if (answer.headers?.['ETag'] === undefined) reply.header('Cache-Control', 'no-store')
  if (answer.body === undefined) return reply.code(answer.status).send()
  addRequestLogFields(reply.request, { generationId: generationIdOf(answer.body) })
  const text = await serializeResponse(answer.body)
  return reply.code(answer.status).type('application/json; charset=utf-8').send(text)
}

/** The path in Fastify's syntax: `:id` for `{id}`. */
function routePath(path: string): string {
  return path.replaceAll(/\{(\w+)\}/g, ':$1')
}
