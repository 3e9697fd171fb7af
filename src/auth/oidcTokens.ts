import { type JWTPayload, jwtVerify } from 'jose'
import { type OidcSettings, type ProviderMetadata, providerMs } from './oidcDiscovery.ts'

type Tokens = { idToken: string; accessToken: string | undefined }

/** Exchanges the authorization code for tokens. Throws when the provider refuses or sends no ID token. */
export async function exchangeCode(
  settings: OidcSettings,
  provider: ProviderMetadata,
  { code, codeVerifier, redirectUri }: { code: string; codeVerifier: string; redirectUri: string },
): Promise<Tokens> {
  const { clientId, clientSecret } = settings
  const body = new URLSearchParams({ grant_type: 'authorization_code', code, redirect_uri: redirectUri, code_verifier: codeVerifier })
  const headers: Record<string, string> = { accept: 'application/json' }
  if (provider.secretInBody) {
    body.set('client_id', clientId)
    body.set('client_secret', clientSecret)
  } else headers['authorization'] = `Basic ${Buffer.from(`${formEncoded(clientId)}:${formEncoded(clientSecret)}`).toString('base64')}`
  const parsedBody = await fetchJson(provider.tokenEndpoint, { method: 'POST', headers, body })
  const { id_token: idToken, access_token: accessToken } = parsedBody
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
  { userinfoEndpoint }: ProviderMetadata,
  accessToken: string,
  sub: string,
): Promise<Record<string, unknown>> {
  if (userinfoEndpoint === undefined) return {}
  const parsedBody = await fetchJson(userinfoEndpoint, { headers: { authorization: `Bearer ${accessToken}`, accept: 'application/json' } })
  return parsedBody['sub'] === sub ? parsedBody : {}
}

async function fetchJson(address: string, request: RequestInit): Promise<Record<string, unknown>> {
  const response = await fetch(address, { ...request, redirect: 'error', signal: AbortSignal.timeout(providerMs) })
  if (!response.ok) throw new Error(`${address} answers ${response.status}`)
  const parsedBody: unknown = await response.json()
  return typeof parsedBody === 'object' && parsedBody !== null ? { ...parsedBody } : {}
}

/** The encoding that RFC 6749 requires for the client id and secret in the `Authorization` header. */
function formEncoded(text: string): string {
  return new URLSearchParams({ text }).toString().slice('text='.length)
}
