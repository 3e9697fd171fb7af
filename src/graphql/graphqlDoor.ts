import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { limits } from '../contract/limits.ts'
import { invalidRequest, Refusal } from '../contract/refusals.ts'
import type { Actor } from '../domain/access/actor.ts'
import type { Services } from '../domain/context.ts'
import { refusalOf } from '../domain/sql.ts'
import { callerOf, requireSameOrigin } from './caller.ts'
import { extensionsOf, headersOf } from './presentError.ts'
import { readRequest, requireJson } from './readRequest.ts'
import { makeYoga } from './yoga.ts'

export type GraphqlOptions = {
  serviceToken: string | undefined
  /** On an embedded database anybody may look at the schema and at GraphiQL. */
  embedded: boolean
  /** Counts a request of somebody unknown by their address. Refusals: rate_limited. */
  countUnknown?(request: FastifyRequest, reply: FastifyReply): Promise<void>
  /** A page on which people write documents by hand, at our own path, with the files that it needs below it. */
  pages?: Record<string, Page>
}

type Page = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>

const path = '/graphql'

/** The endpoint of internal tools and of the admin UI, as a part of the one listener. Contract: section 6. */
export function graphqlDoor(services: Services, options: GraphqlOptions) {
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
    const actor = callerOf(request, options.serviceToken)
    if (actor) actors.set(request, actor)
    else await options.countUnknown?.(request, reply)
    if (!actor && !options.embedded) throw new Refusal('unauthorized')
  }

  async function answer(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const { host } = request.headers
    // Yoga makes an address of it, which not every text gives.
    if (host === undefined || !URL.canParse(`http://${host}`))
      throw invalidRequest({ in: 'header', path: ['host'], code: 'bad_format', message: 'Takes a host name.' })
    const asked = { actor: actors.get(request), requestId: request.id, shutdown: shutdown.signal }
    const response = await yoga.handleNodeRequestAndResponse(request, reply, asked)
    reply.code(response.status)
    for (const [name, value] of response.headers) reply.header(name, value)
    return reply.send(Buffer.from(await response.arrayBuffer()))
  }

  return async (app: FastifyInstance): Promise<void> => {
    app.removeAllContentTypeParsers()
    app.addContentTypeParser(
      '*',
      { parseAs: 'buffer', bodyLimit: limits.requestBodyBytes },
      async (_request: FastifyRequest, body: Buffer) => readRequest(body),
    )
    app.setErrorHandler((error, request, reply) => refuse(asRefusal(error, services, request.id), reply))
    app.addHook('preClose', async () => shutdown.abort())
    app.post(path, {
      onRequest: async (request, reply) => {
        await admit(request, reply)
        requireJson(request)
      },
      handler: async (request, reply) => {
        // A request without a body never meets the parser.
        request.body ??= readRequest(undefined)
        return await answer(request, reply)
      },
    })
    const { [path]: page, ...files } = options.pages ?? {}
    app.get(path, {
      onRequest: admit,
      handler: async (request, reply) => {
        if (page && request.headers.accept?.includes('text/html')) return await page(request, reply)
        reply.header('Allow', 'POST')
        throw new Refusal('method_not_allowed')
      },
    })
    for (const [file, handler] of Object.entries(files)) app.get(file, { onRequest: admit, handler })
  }
}

/** A refusal of the whole request, in the shape of every other answer here. */
function refuse(refusal: Refusal, reply: FastifyReply): FastifyReply {
  const body = { errors: [{ message: refusal.message, extensions: extensionsOf(refusal) }] }
  return reply.code(refusal.http).headers(headersOf(refusal)).type('application/json; charset=utf-8').send(JSON.stringify(body))
}

function asRefusal(error: unknown, { log }: Services, requestId: string): Refusal {
  const known = refusalOf(error)
  if (known) return known
  const { code, statusCode } = error as { code?: string; statusCode?: number }
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE') return new Refusal('payload_too_large', { maxBytes: limits.requestBodyBytes })
  if (statusCode === 400) return invalidRequest({ in: 'body', path: [], code: 'bad_format', message: 'The request cannot be read.' })
  log.error({ requestId, error: error instanceof Error ? error.stack : String(error) }, 'internal error')
  return new Refusal('internal_error')
}
