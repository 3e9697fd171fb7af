import type { FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { parseOrRefuse } from '../contract/refusals/issues.ts'
import { invalidRequest, Refusal } from '../contract/refusals/refusals.ts'
import { recordGroupsClaim } from '../domain/access/sessions/groupsClaims.ts'
import { contextFor, type Services } from '../domain/context.ts'
import type { SessionIssuer } from './betterAuth.ts'
import { type ClaimedGroups, signInGroups } from './groupsClaim.ts'
import type { Discovery, OidcSettings } from './oidcDiscovery.ts'
import { addressAfterSignIn, failureAddress, returnAddress } from './returnAddress.ts'
import { cookieName } from './sessionCookie.ts'

type OidcSignInOptions = {
  settings: OidcSettings
  discovery: Discovery
  sessions(): Promise<SessionIssuer>
  signedIn(request: FastifyRequest): Promise<void>
}

const body = z.strictObject({
  provider: z.literal('oidc'),
  callbackURL: z.string().max(2000).optional(),
  /** Accepted and ignored: all failures lead to the sign-in page. */
  errorCallbackURL: z.string().max(2000).optional(),
})

/**
 * The two requests of an OIDC sign-in: the sign-in page gets the authorization URL, and the browser returns with a code.
 * Contract: docs/contract.md#sign-in-with-oidc.
 */
export function oidcSignIn(services: Services, { settings, discovery, sessions, signedIn }: OidcSignInOptions) {
  const { log } = services
  const { publicUrl } = services.settings
  return {
    /** Refusals: invalid_request for a `callbackURL` outside our pages; service_unavailable while the provider cannot be reached. */
    async begin(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
      const { callbackURL: asked = '/integrations' } = parseOrRefuse(body, request.body, 'body')
      const callbackURL = returnAddress(asked, publicUrl)
      if (callbackURL === undefined) throw notOurs()
      await discovery().catch((cause: unknown) => {
        log.warn({ requestId: request.id, cause: String(cause) }, 'the OIDC provider cannot be reached')
        throw new Refusal('service_unavailable', undefined, { message: `${settings.name} cannot be reached. Try again later.` })
      })
      const init = { provider: 'oidc', callbackURL, errorCallbackURL: failureAddress(callbackURL), disableRedirect: true }
      const response = await (await sessions()).answer(
        new Request(`${publicUrl}/auth/sign-in/social`, {
          method: 'POST',
          headers: { 'content-type': 'application/json', origin: publicUrl, cookie: request.headers.cookie ?? '' },
          body: JSON.stringify(init),
        }),
      )
      // better-auth refuses some characters in an address that passed our own check.
      if (response.status === 403) throw notOurs()
      const { url } = (await response.json()) as { url?: unknown }
      if (typeof url !== 'string') throw new Error(`better-auth answers the begin request with ${response.status}`)
      return reply.header('Set-Cookie', response.headers.getSetCookie()).send({ url, redirect: true })
    },

    /** Redirects to the requested page, or to the sign-in page with the reason of a failure; never to another address. */
    async end(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
      const query = request.url.split('?')[1] ?? ''
      const address = `${publicUrl}/auth/callback/oidc?${query}`
      const returned = new Request(address, { headers: { cookie: request.headers.cookie ?? '' } })
      const issuer = await sessions()
      const groups: { claimed?: ClaimedGroups } = {}
      const response = await signInGroups.run(groups, () => issuer.answer(returned))
      const cookies = response.headers.getSetCookie()
      const isSignedIn = cookies.some((each) => each.startsWith(`${cookieName(publicUrl, 'session')}=`))
      if (isSignedIn) {
        await signedIn(request)
        await recordClaim(services, settings, groups.claimed)
      }
      const location = addressAfterSignIn(response.headers.get('location'), { isSignedIn, publicUrl })
      return reply.code(302).header('Set-Cookie', cookies).header('Location', location).send('')
    },
  }
}

/** Never rejects: the person is signed in. */
async function recordClaim(services: Services, { issuer, groupsClaim: claim }: OidcSettings, claimed?: ClaimedGroups): Promise<void> {
  if (claim === undefined || claimed === undefined) return
  const outcome = typeof claimed === 'string' ? claimed : 'read'
  await recordGroupsClaim(contextFor(services, { kind: 'system' }), { issuer, claim }, outcome).catch((cause: unknown) => {
    services.log.warn({ cause: String(cause) }, 'the outcome of the groups claim was not recorded')
  })
}

function notOurs(): Refusal {
  return invalidRequest({ in: 'body', path: ['callbackURL'], code: 'not_allowed', message: 'Takes a page below /integrations.' })
}
