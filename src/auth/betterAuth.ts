import { APIError, createAuthEndpoint } from 'better-auth/api'
import { setSessionCookie } from 'better-auth/cookies'
import { betterAuth } from 'better-auth/minimal'
import type { OAuthProvider } from 'better-auth/oauth2'
import { z } from 'zod'
import { newId } from '../contract/ids.ts'
import { limits } from '../contract/limits.ts'
import type { Registration } from '../domain/access/sessions/mayRegister.ts'
import type { Services } from '../domain/context.ts'
import { authStore } from './authStore.ts'
import { signInPage } from './returnAddress.ts'
import { cookieName, isSecure } from './sessionCookie.ts'

/** The functions of better-auth that we use: sessions for authenticated people, and the OIDC flow. */
export type SessionIssuer = {
  /** Opens a session with a new token. Returns the `Set-Cookie` headers, or `undefined` if the password has changed meanwhile. */
  open(proven: { userId: string; passwordHash: string | null }): Promise<string[] | undefined>
  /** Handles one of the two requests of an OIDC sign-in. */
  answer(request: Request): Promise<Response>
}

/** `registration`: the issuer of the stored identities, and who may create an account through it. */
export type IdentityProvider = { provider: OAuthProvider; registration: Registration }

const daySeconds = 24 * 3600

/** Contract: docs/contract.md#sessions. */
export function makeSessionIssuer(services: Services, elsewhere: IdentityProvider | undefined): SessionIssuer {
  const { publicUrl } = services.settings
  const auth = betterAuth({
    appName: 'Atelier',
    baseURL: publicUrl,
    basePath: '/auth',
    // A list, because an environment variable overrides a single secret.
    secrets: [{ version: 1, value: services.ring.derive('better-auth').toString('base64url') }],
    database: authStore(services, elsewhere?.registration ?? { issuer: '' }),
    telemetry: { enabled: false },
    rateLimit: { enabled: false },
    logger: { log: (level, message, ...rest) => services.log.debug({ level, cause: rest.map(wordsOf) }, `better-auth: ${message}`) },
    emailAndPassword: { enabled: false },
    session: {
      // The age of the cookie. The row in our table holds the expiry of the session.
      expiresIn: limits.sessionDaysMax * daySeconds,
      additionalFields: { passwordHash: { type: 'string', required: false, input: false, returned: false } },
    },
    account: { updateAccountOnSignIn: false, accountLinking: { trustedProviders: [] } },
    verification: { storeIdentifier: 'hashed', disableCleanup: true },
    onAPIError: { errorURL: `${publicUrl}${signInPage}` },
    advanced: {
      ...cookiesOf(publicUrl),
      ipAddress: { disableIpTracking: true },
      disableCSRFCheck: false,
      disableOriginCheck: false,
      database: { generateId: () => newId('ses') },
    },
    plugins: [
      { id: 'atelier', endpoints: { openSession }, init: () => ({ context: { socialProviders: elsewhere ? [elsewhere.provider] : [] } }) },
    ],
  })
  return {
    async open({ userId, passwordHash }) {
      try {
        const { headers } = await auth.api.openSession({ body: { userId, passwordHash }, headers: new Headers(), returnHeaders: true })
        return headers.getSetCookie()
      } catch (error) {
        if (error instanceof APIError && error.body?.code === 'password_changed') return undefined
        throw error
      }
    },
    answer: (request) => auth.handler(request),
  }
}

const openSession = createAuthEndpoint.serverOnly(
  { method: 'POST', body: z.object({ userId: z.string(), passwordHash: z.string().nullable() }) },
  async (context) => {
    const { userId, passwordHash } = context.body
    const { internalAdapter } = context.context
    const user = await internalAdapter.findUserById(userId)
    if (!user) throw new APIError('UNAUTHORIZED', { code: 'password_changed', message: 'the person was deleted' })
    const session = await internalAdapter.createSession(userId, false, { passwordHash })
    await setSessionCookie(context, { session, user })
    return context.json({})
  },
)

function cookiesOf(publicUrl: string) {
  const attributes = { secure: isSecure(publicUrl), httpOnly: true, sameSite: 'lax', path: '/' } as const
  return {
    cookiePrefix: 'atelier',
    useSecureCookies: false,
    defaultCookieAttributes: attributes,
    cookies: {
      session_token: { name: cookieName(publicUrl, 'session'), attributes },
      state: { name: cookieName(publicUrl, 'sign_in'), attributes },
    },
  }
}

function wordsOf(value: unknown): string {
  return value instanceof Error ? value.message : typeof value
}
