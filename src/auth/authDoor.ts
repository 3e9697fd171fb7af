import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { parseOrRefuse } from '../contract/issues.ts'
import { limits } from '../contract/limits.ts'
import { Refusal } from '../contract/refusals.ts'
import { endSession } from '../domain/access/sessions.ts'
import { signIn } from '../domain/access/signIn.ts'
import { contextFor, type Services } from '../domain/context.ts'
import { originOf } from '../transport/originOf.ts'
import { bodyTurn, parseJsonBody, requireJsonType } from '../transport/readJson.ts'
import { requireOwnOrigin } from '../transport/sameOrigin.ts'
import { errorHandler } from '../transport/translateError.ts'
import { makeDiscovery, type OidcSettings } from './oidcDiscovery.ts'
import { oidcSignIn } from './oidcSignIn.ts'
import { digestInCookie, forgottenSession } from './sessionCookie.ts'
import { lazySessionMaker } from './sessionMaker.ts'
import { signInOrigin } from './signInOrigin.ts'

export type AuthOptions = {
  /** Counts a request. Refusals: rate_limited. */
  count(request: FastifyRequest, reply: FastifyReply): Promise<void>
  /** Whom a request without a session is counted for. */
  addressOf(request: FastifyRequest): string
  oidc?: OidcSettings | undefined
}

type Handler = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>

const passwordBody = z.strictObject({ email: z.string(), password: z.string() })
const emptyBody = z.strictObject({})

/** Sign-in and sign-out, for the sign-in page. Nothing else of better-auth is reachable. Contract: docs/contract.md#sign-in. */
export function authDoor(services: Services, options: AuthOptions) {
  const { publicUrl } = services.settings
  const { oidc: settings } = options
  const contextOf = (request: FastifyRequest) => contextFor(services, { kind: 'system' }, originOf(request, options.addressOf))
  const oidc = settings && { settings, discovery: makeDiscovery(settings) }
  const sessions = lazySessionMaker(services, oidc)

  async function signInByPassword(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const asked = parseOrRefuse(passwordBody, request.body, 'body')
    const proven = await signIn(contextOf(request), { ...asked, address: options.addressOf(request) })
    const cookies = await (await sessions()).open(proven)
    if (!cookies) throw new Refusal('unauthorized', undefined, { message: 'E-mail or password is wrong.' })
    await endPresented(request)
    return reply.header('Set-Cookie', cookies).send({ signedIn: true })
  }

  async function signOut(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    parseOrRefuse(emptyBody, request.body, 'body')
    await endPresented(request)
    return reply.header('Set-Cookie', forgottenSession(publicUrl)).send({ signedIn: false })
  }

  /** The session that the browser came with: it is over, or another has taken its place. */
  async function endPresented(request: FastifyRequest): Promise<void> {
    const digest = digestInCookie(request.headers.cookie, publicUrl)
    if (digest) await endSession(contextOf(request), digest)
  }

  const elsewhere = oidc && oidcSignIn(services, { ...oidc, sessions, signedIn: endPresented })
  const gets: Record<string, Handler> = {
    '/auth/ways': async (_request, reply) => reply.send({ oidc: settings ? { name: settings.name } : null }),
    ...(elsewhere ? { '/auth/callback/oidc': elsewhere.end } : {}),
  }
  const posts: Record<string, Handler> = {
    '/auth/sign-in/email': signInByPassword,
    '/auth/sign-out': signOut,
    ...(elsewhere ? { '/auth/sign-in/social': elsewhere.begin } : {}),
  }
  return {
    paths: [...pathsOf(gets, 'GET'), ...pathsOf(posts, 'POST')],
    async plugin(app: FastifyInstance): Promise<void> {
      await app.register(routes({ gets, posts }, services, options))
    },
  }
}

function routes(
  { gets, posts }: { gets: Record<string, Handler>; posts: Record<string, Handler> },
  services: Services,
  { count, addressOf }: AuthOptions,
) {
  const told = (handler: Handler) => (request: FastifyRequest, reply: FastifyReply) =>
    signInOrigin.run(originOf(request, addressOf), () => handler(request, reply))
  const begin = async (request: FastifyRequest, reply: FastifyReply) => {
    reply.header('Cache-Control', 'no-store')
    await count(request, reply)
  }
  const beginPost = async (request: FastifyRequest, reply: FastifyReply) => {
    await begin(request, reply)
    requireOwnOrigin(request, services.settings.publicUrl)
    requireJsonType(request, false)
  }
  return async (app: FastifyInstance): Promise<void> => {
    app.setErrorHandler(errorHandler(services))
    app.removeAllContentTypeParsers()
    const read = { parseAs: 'buffer', bodyLimit: limits.requestBodyBytes } as const
    app.addContentTypeParser('*', read, async (_request: FastifyRequest, body: Buffer) => {
      await bodyTurn(body)
      return parseJsonBody(body)
    })
    for (const [path, handler] of Object.entries(gets)) app.get(path, { onRequest: begin }, told(handler))
    for (const [path, handler] of Object.entries(posts)) {
      app.post(path, { onRequest: beginPost }, async (request, reply) => {
        // A request without a body never meets the parser.
        request.body ??= parseJsonBody(Buffer.alloc(0))
        return await told(handler)(request, reply)
      })
    }
  }
}

function pathsOf(handlers: Record<string, Handler>, method: string) {
  return Object.keys(handlers).map((path) => ({ path, methods: [method] }))
}
