import { type JWTPayload, jwtVerify } from 'jose'
import type { OidcSettings, ProviderMetadata } from './oidcDiscovery.ts'

type Tokens = { idToken: string; accessToken: string | undefined }

/** Exchanges the authorization code for tokens. Throws when the provider refuses or sends no ID token. */
export async function exchangeCode(
  settings: OidcSettings,
  provider: ProviderMetadata,
  { code, codeVerifier, redirectUri }: { code: string; codeVerifier: string; redirectUri: string },
): Promise<Tokens> {
  const { clientId, clientSecret } = settings
  const form = new URLSearchParams({ grant_type: 'authorization_code', code, redirect_uri: redirectUri, code_verifier: codeVerifier })
  const headers: Record<string, string> = {}
  if (provider.secretInBody) {
    form.set('client_id', clientId)
    form.set('client_secret', clientSecret)
  } else headers['authorization'] = `Basic ${Buffer.from(`${formEncoded(clientId)}:${formEncoded(clientSecret)}`).toString('base64')}`
  const tokens = asObject(await provider.fetchJson(provider.tokenEndpoint, { method: 'POST', headers, form }))
  const { id_token: idToken, access_token: accessToken } = tokens
  if (typeof idToken !== 'string') throw new Error('the provider sent no ID token')
  return { idToken, accessToken: typeof accessToken === 'string' ? accessToken : undefined }
}

/** Asymmetric algorithms only: a token signed with the shared client secret is not accepted. */
const algorithms = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519']
const clockToleranceSeconds = 60

/** Verifies an ID token: signature, issuer, audience, nonce and time. Returns its claims; throws for an invalid token. */
export async function verifyIdToken(
  { idToken, nonce, now }: { idToken: string; nonce: string; now: Date },
  { clientId }: OidcSettings,
  { issuer, keys }: ProviderMetadata,
): Promise<JWTPayload & { sub: string }> {
  const { payload } = await jwtVerify(idToken, keys, {
    issuer,
    audience: clientId,
    algorithms,
    requiredClaims: ['sub', 'exp', 'iat'],
    clockTolerance: clockToleranceSeconds,
    currentDate: now,
  })
  const { sub, aud, azp } = payload
  if (payload['nonce'] !== nonce) throw new Error('the ID token belongs to another sign-in')
  if (Array.isArray(aud) && aud.length > 1 && azp !== clientId) throw new Error('the ID token was made for another client')
  if (typeof sub !== 'string' || sub === '') throw new Error('the ID token has no sub')
  return { ...payload, sub }
}

/** Fetches the claims of the userinfo endpoint; none if they belong to another `sub` than the ID token. */
export async function fetchUserinfo(
  { userinfoEndpoint, fetchJson }: ProviderMetadata,
  accessToken: string,
  sub: string,
): Promise<Record<string, unknown>> {
  if (userinfoEndpoint === undefined) return {}
  const claims = asObject(await fetchJson(userinfoEndpoint, { headers: { authorization: `Bearer ${accessToken}` } }))
  return claims['sub'] === sub ? claims : {}
}

function asObject(parsedBody: unknown): Record<string, unknown> {
  return typeof parsedBody === 'object' && parsedBody !== null ? { ...parsedBody } : {}
}

/** The encoding that RFC 6749 requires for the client id and secret in the `Authorization` header. */
function formEncoded(text: string): string {
  return new URLSearchParams({ text }).toString().slice('text='.length)
}
