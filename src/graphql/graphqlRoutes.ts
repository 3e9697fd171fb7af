import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { DocUrls } from '../contract/docUrl.ts'
import { limits } from '../contract/limits.ts'
import { invalidRequest, Refusal, type RefusalCode } from '../contract/refusals/refusals.ts'
import type { Actor, PersonActor } from '../domain/access/actor.ts'
import type { Services } from '../domain/context.ts'
import { abortOnDisconnect } from '../transport/abortOnDisconnect.ts'
import { isLocalCaller } from '../transport/localCaller.ts'
import { requireJsonType, waitForParseSlice } from '../transport/readJson.ts'
import { refusalHeaders } from '../transport/refusalHeaders.ts'
import { addRequestLogFields } from '../transport/requestLogFields.ts'
import { requestOrigin } from '../transport/requestOrigin.ts'
import { requireSameOrigin } from '../transport/requireSameOrigin.ts'
import { serviceActorOf } from '../transport/serviceCaller.ts'
import { asRefusal, sendRefusal } from '../transport/translateError.ts'
import { extensionsOf } from './presentError.ts'
import { readRequest } from './readRequest.ts'
import { sendCompressed } from './sendCompressed.ts'
import { makeYoga } from './yoga.ts'

export type GraphqlOptions = {
  serviceToken: string | undefined
  /** Permits introspection without a token from the same machine; for an embedded database behind a listener on loopback. */
  allowLocalIntrospection: boolean
  /** Counts an unauthenticated request by IP address. Refusals: rate_limited. */
  countAnonymous?(request: FastifyRequest, reply: FastifyReply): Promise<void>
  /** The person of the session, with rate limits by person or IP address. Refusals: rate_limited, too_many_concurrent, access_denied. */
  authenticateSession?(request: FastifyRequest, reply: FastifyReply): Promise<PersonActor | undefined>
  /** Counts additional requests towards the person's rate limit, and updates the headers. Refusals: rate_limited. */
  countExtraRequests?(reply: FastifyReply, person: PersonActor, requests: number): Promise<void>
  /** The IP address for rate limits. Default: that of the connection. */
  addressOf?(request: FastifyRequest): string
  /** GraphiQL at the path of the endpoint, and its files below that path. They contain no data. */
  pages?: Record<string, Page>
  /** True for a request through a public listener, where GraphiQL needs the service token. Default: none. */
  isProxied?(request: FastifyRequest): boolean
}

type Page = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>

const path = '/graphql'

/** The GraphQL endpoint for internal tools and the admin UI. Contract: docs/contract.md#callers. */
export function graphqlRoutes(services: Services, options: GraphqlOptions) {
  const files = Object.keys(options.pages ?? {}).filter((each) => each !== path)
  return {
    paths: [{ path, methods: ['GET', 'POST'] }, ...files.map((each) => ({ path: each, methods: ['GET'] }))],
    async plugin(app: FastifyInstance): Promise<void> {
      await app.register(graphql(services, options))
    },
  }
}

function graphql(services: Services, options: GraphqlOptions) {
  const yoga = makeYoga(services)
  const shutdown = new AbortController()
  const actors = new WeakMap<FastifyRequest, Actor>()

  async function admit(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    reply.header('Cache-Control', 'no-store')
    requireSameOrigin(request, services.settings.publicUrl)
    const actor = await authenticateRequest(request, reply, services, options)
    if (actor) actors.set(request, actor)
    else if (!(options.allowLocalIntrospection && isLocalCaller(request))) throw new Refusal('unauthorized')
  }

  /** A browser cannot send a token when it opens a page, so the page asks for it. Public listeners serve it to no anonymous caller. */
  async function admitPage(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    if (request.headers.authorization !== undefined || options.isProxied?.(request)) return await admit(request, reply)
    requireSameOrigin(request, services.settings.publicUrl)
    await options.countAnonymous?.(request, reply)
  }

  async function answer(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const { host } = request.headers
    // Yoga builds a URL from it.
    if (host === undefined || !URL.canParse(`http://${host}`))
      throw invalidRequest({ in: 'header', path: ['host'], code: 'bad_format', message: 'Takes a host name.' })
    const actor = actors.get(request)
    const mayIntrospect = actor?.kind !== 'person' || (options.allowLocalIntrospection && isLocalCaller(request))
    const origin = requestOrigin(request, options.addressOf ?? (({ ip }) => ip))
    const onRefused = (code: RefusalCode) => addRequestLogFields(request, { code })
    const known = { actor, origin, mayIntrospect, requestId: request.id, shutdown: shutdown.signal, onRefused }
    const asked = { ...known, ...operationHooks(reply, actor, options) }
    const response = await yoga.handleNodeRequestAndResponse(request, reply, asked)
    reply.code(response.status)
    for (const [name, value] of response.headers) reply.header(name, value)
    const bytes: ArrayBuffer | Buffer = await response.arrayBuffer()
    // No copy: Yoga returns the written buffer.
    return await sendCompressed(request, reply, Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes))
  }

  return async (app: FastifyInstance): Promise<void> => {
    parseBodies(app)
    app.setErrorHandler((error, request, reply) => refuse(asRefusal(error, services.log, request.id), request, reply, services.docUrls))
    app.addHook('preClose', async () => shutdown.abort())
    app.post(path, {
      onRequest: async (request, reply) => {
        await admit(request, reply)
        // Prevents CSRF: a form cannot send JSON.
        requireJsonType(request, false)
      },
      handler: async (request, reply) => {
        // Fastify does not run the parser for a request without a body.
        request.body ??= readRequest(undefined)
        return await answer(request, reply)
      },
    })
    const { [path]: page, ...files } = options.pages ?? {}
    const asksForPage = (request: FastifyRequest) => page !== undefined && request.headers.accept?.includes('text/html') === true
    app.get(path, {
      onRequest: async (request, reply) => (asksForPage(request) ? admitPage : admit)(request, reply),
      handler: async (request, reply) => {
        if (page && asksForPage(request)) return await page(request, reply)
        reply.header('Allow', 'POST')
        throw new Refusal('method_not_allowed')
      },
    })
    for (const [file, handler] of Object.entries(files)) app.get(file, { onRequest: admitPage, handler })
  }
}

/** Reads every body as a GraphQL request, within its limits. */
function parseBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser(
    '*',
    { parseAs: 'buffer', bodyLimit: limits.requestBodyBytes },
    async (_request: FastifyRequest, body: Buffer) => {
      await waitForParseSlice(body)
      return readRequest(body)
    },
  )
}

/** The functions of the request that an operation uses during its execution. */
function operationHooks(reply: FastifyReply, actor: Actor | undefined, { countExtraRequests }: GraphqlOptions) {
  const { raw } = reply
  return {
    disconnected: abortOnDisconnect(reply),
    countExtraRequests: actor?.kind === 'person' ? async (requests: number) => countExtraRequests?.(reply, actor, requests) : undefined,
    onResponseClosed(end: () => void) {
      if (raw.closed || raw.destroyed) end()
      else raw.once('close', end)
    },
  }
}

/** The `Authorization` header takes precedence. A session is used only for POST. */
async function authenticateRequest(
  request: FastifyRequest,
  reply: FastifyReply,
  services: Services,
  options: GraphqlOptions,
): Promise<Actor | undefined> {
  if (request.headers.authorization === undefined && request.method === 'POST' && options.authenticateSession)
    return await options.authenticateSession(request, reply)
  const actor = await serviceActorOf(request, services, options.serviceToken)
  if (!actor) await options.countAnonymous?.(request, reply)
  return actor
}

/** A refusal of the whole request: a GraphQL error for POST, else the refusal shape of REST. */
function refuse(refusal: Refusal, request: FastifyRequest, reply: FastifyReply, docUrls: DocUrls): FastifyReply {
  if (request.method !== 'POST') return sendRefusal(reply, refusal, docUrls)
  addRequestLogFields(request, { code: refusal.code })
  const body = { errors: [{ message: refusal.message, extensions: extensionsOf(refusal, docUrls) }] }
  return reply.code(refusal.http).headers(refusalHeaders(refusal)).type('application/json; charset=utf-8').send(JSON.stringify(body))
}
