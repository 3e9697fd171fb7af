import { createAuthorizationURL, type OAuthProvider } from 'better-auth/oauth2'
import type { Clock, Log } from '../domain/context.ts'
import { readGroupsClaim, signInGroups } from './groupsClaim.ts'
import type { Discovery, OidcSettings } from './oidcDiscovery.ts'
import { exchangeCode, fetchUserinfo, verifyIdToken } from './oidcTokens.ts'

/** The name of the provider in our URLs. */
const providerId = 'oidc'

const nameCharactersMax = 100

type OidcProviderOptions = { discovery: Discovery; clock: Clock; log: Log }

/**
 * The OIDC provider for better-auth. The library stores state, PKCE verifier and nonce; this object makes every request to the provider.
 * An e-mail address that the provider has not verified is not used to identify a person.
 */
export function oidcProvider(settings: OidcSettings, { discovery, clock, log }: OidcProviderOptions): OAuthProvider {
  const recordGroups = groupsRecorder(settings, log)
  return {
    id: providerId,
    name: settings.name,
    requiresIdTokenNonce: true,
    accountSubject: ({ profile }) => String((profile as Record<string, unknown>)['sub']),
    async createAuthorizationURL({ state, codeVerifier, redirectURI, idTokenNonce }) {
      const { authorizationEndpoint, hasGroupsScope } = await discovery()
      const requestsGroups = settings.groupsClaim !== undefined && hasGroupsScope
      return await createAuthorizationURL({
        id: providerId,
        options: { clientId: settings.clientId, clientSecret: settings.clientSecret },
        authorizationEndpoint,
        state,
        codeVerifier,
        redirectURI,
        scopes: ['openid', 'email', 'profile', ...(requestsGroups ? ['groups'] : [])],
        ...(idTokenNonce === undefined ? {} : { nonce: idTokenNonce }),
      })
    },
    async validateAuthorizationCode({ code, codeVerifier = '', redirectURI }) {
      return await exchangeCode(settings, await discovery(), { code, codeVerifier, redirectUri: redirectURI })
    },
    async getUserInfo({ idToken = '', accessToken, expectedIdTokenNonce = '' }) {
      const provider = await discovery()
      const now = clock.now()
      const claims = await verifyIdToken({ idToken, nonce: expectedIdTokenNonce, now }, settings, provider).catch(() => undefined)
      if (!claims) return null
      recordGroups(claims)
      const hasEmailClaim = typeof claims['email'] === 'string' || accessToken === undefined
      const profile = hasEmailClaim ? claims : { ...(await fetchUserinfo(provider, accessToken, claims.sub)), ...claims }
      return { user: userFromProfile(profile), data: profile }
    },
  }
}

/** Stores the groups claim of a token for the session that the sign-in opens. Logs a missing and a malformed claim once per process. */
function groupsRecorder({ groupsClaim, name }: OidcSettings, log: Log) {
  const logged = new Set<string>()
  return (claims: Record<string, unknown>): void => {
    if (groupsClaim === undefined) return
    const read = readGroupsClaim(claims, groupsClaim)
    const store = signInGroups.getStore()
    if (store) store.claimed = read
    if (typeof read !== 'string' || logged.has(read)) return
    logged.add(read)
    log.warn({ claim: groupsClaim }, `the groups claim in an ID token of ${name} is ${read}; the sign-in changes no membership`)
  }
}

function userFromProfile(profile: Record<string, unknown>) {
  const email = trimmedText(profile['email'])
  const name = trimmedText(profile['name']) ?? trimmedText(profile['preferred_username']) ?? email ?? ''
  // Some providers send the string 'true'.
  const isVerified = [true, 'true'].some((value) => value === profile['email_verified'])
  const emailVerified = isVerified && !foldsToAscii(email ?? '')
  return { email: email ?? null, name: [...name].slice(0, nameCharactersMax).join(''), emailVerified }
}

/** Whether lower case turns a non-ASCII letter into ASCII: the Kelvin sign becomes `k`. The provider has not verified the new address. */
function foldsToAscii(email: string): boolean {
  return [...email].some((letter) => letter > '\x7f' && /[\0-\x7f]/.test(letter.toLowerCase()))
}

function trimmedText(value: unknown): string | undefined {
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined
}
