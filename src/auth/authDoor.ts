import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { limits } from '../contract/limits.ts'
import { parseOrRefuse } from '../contract/refusals/issues.ts'
import { Refusal } from '../contract/refusals/refusals.ts'
import { endSession } from '../domain/access/sessions/sessions.ts'
import { signIn } from '../domain/access/sessions/signIn.ts'
import { contextFor, type Services } from '../domain/context.ts'
import { parseJsonBody, requireJsonType, waitForParseSlice } from '../transport/readJson.ts'
import { requestOrigin } from '../transport/requestOrigin.ts'
import { requireOwnOrigin } from '../transport/requireSameOrigin.ts'
import { errorHandler } from '../transport/translateError.ts'
import type { SessionIssuer } from './betterAuth.ts'
import { invitations } from './invitations.ts'
import { type Discovery, makeDiscovery, type OidcSettings } from './oidcDiscovery.ts'
import { oidcSignIn } from './oidcSignIn.ts'
import { clearedSessionCookie, readSessionDigest } from './sessionCookie.ts'
import { signInOrigin } from './signInOrigin.ts'

export type AuthOptions = {
  /** Counts a request. Refusals: rate_limited. */
  count(request: FastifyRequest, reply: FastifyReply): Promise<void>
  /** The address that a request without a session is counted for. */
  addressOf(request: FastifyRequest): string
  oidc?: OidcSettings | undefined
}

type Handler = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>

const passwordBody = z.strictObject({ email: z.string(), password: z.string() })
const emptyBody = z.strictObject({})

/** The routes to sign in and out, for the sign-in page. No other endpoint of better-auth is reachable. Contract: docs/contract.md#sign-in. */
export function authDoor(services: Services, options: AuthOptions) {
  const { publicUrl } = services.settings
  const { oidc: settings } = options
  const contextOf = (request: FastifyRequest) => contextFor(services, { kind: 'system' }, requestOrigin(request, options.addressOf))
  const oidc = settings && { settings, discovery: makeDiscovery(settings, services.settings) }
  const sessions = lazySessionIssuer(services, oidc)

  async function signInByPassword(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const credentials = parseOrRefuse(passwordBody, request.body, 'body')
    const proven = await signIn(contextOf(request), { ...credentials, address: options.addressOf(request) })
    const cookies = await (await sessions()).open(proven)
    if (!cookies) throw new Refusal('unauthorized', undefined, { message: 'E-mail or password is wrong.' })
    await endPresentedSession(request)
    return reply.header('Set-Cookie', cookies).send({ signedIn: true })
  }

  async function signOut(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    parseOrRefuse(emptyBody, request.body, 'body')
    await endPresentedSession(request)
    return reply.header('Set-Cookie', clearedSessionCookie(publicUrl)).send({ signedIn: false })
  }

  /** Ends the session that the browser sent: at sign-out, or because a new session replaces it. */
  async function endPresentedSession(request: FastifyRequest): Promise<void> {
    const digest = readSessionDigest(request.headers.cookie, publicUrl)
    if (digest) await endSession(contextOf(request), digest)
  }

  const invitationRoutes = invitations(services, { contextOf, sessions, signedIn: endPresentedSession })
  const oidcRoutes = oidc && oidcSignIn(services, { ...oidc, sessions, signedIn: endPresentedSession })
  const gets: Record<string, Handler> = {
    '/auth/ways': async (_request, reply) => reply.send({ oidc: settings ? { name: settings.name } : null }),
    ...(oidcRoutes ? { '/auth/callback/oidc': oidcRoutes.end } : {}),
  }
  const posts: Record<string, Handler> = {
    '/auth/sign-in/email': signInByPassword,
    '/auth/sign-out': signOut,
    '/auth/invitation': invitationRoutes.read,
    '/auth/invitation/accept': invitationRoutes.accept,
    ...(oidcRoutes ? { '/auth/sign-in/social': oidcRoutes.begin } : {}),
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
  const withOrigin = (handler: Handler) => (request: FastifyRequest, reply: FastifyReply) =>
    signInOrigin.run(requestOrigin(request, addressOf), () => handler(request, reply))
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
      await waitForParseSlice(body)
      return parseJsonBody(body)
    })
    for (const [path, handler] of Object.entries(gets)) app.get(path, { onRequest: begin }, withOrigin(handler))
    for (const [path, handler] of Object.entries(posts)) {
      app.post(path, { onRequest: beginPost }, async (request, reply) => {
        // Fastify does not call the parser for a request without a body.
        request.body ??= parseJsonBody(Buffer.alloc(0))
        return await withOrigin(handler)(request, reply)
      })
    }
  }
}

function pathsOf(handlers: Record<string, Handler>, method: string) {
  return Object.keys(handlers).map((path) => ({ path, methods: [method] }))
}

/** Loads better-auth at the first sign-in, so that processes start faster. Most processes never use it. A failed load is retried. */
export function lazySessionIssuer(services: Services, oidc?: { settings: OidcSettings; discovery: Discovery }) {
  let issuer: Promise<SessionIssuer> | undefined
  return () => {
    issuer ??= loadSessionIssuer(services, oidc)
    issuer.catch(() => {
      issuer = undefined
    })
    return issuer
  }
}

async function loadSessionIssuer(services: Services, oidc?: { settings: OidcSettings; discovery: Discovery }): Promise<SessionIssuer> {
  const { makeSessionIssuer } = await import('./betterAuth.ts')
  if (!oidc) return makeSessionIssuer(services, undefined)
  const { oidcProvider } = await import('./oidcProvider.ts')
  const provider = oidcProvider(oidc.settings, { discovery: oidc.discovery, clock: services.clock, log: services.log })
  return makeSessionIssuer(services, { provider, registration: oidc.settings })
}
