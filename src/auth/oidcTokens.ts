import { type JWTPayload, jwtVerify } from 'jose'
import { type OidcSettings, type ProviderMetadata, providerMs } from './oidcDiscovery.ts'

type Tokens = { idToken: string; accessToken: string | undefined }

/** Exchanges the code that a browser brought back for tokens. Throws when the provider does not give them. */
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
  if (typeof idToken !== 'string') throw new Error('the provider gave no ID token')
  return { idToken, accessToken: typeof accessToken === 'string' ? accessToken : undefined }
}

/** What a provider vouches for with its own key; secrets that we share with it sign nothing. */
const algorithms = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519']
const clockToleranceSeconds = 60

/** The claims of an ID token that this provider signed, for us, for this very sign-in, and lately. Throws for any other. */
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
  if (typeof sub !== 'string' || sub === '') throw new Error('the ID token names nobody')
  return { ...payload, sub }
}

/** What a provider tells of a person at its own endpoint; nothing for another person than the token's. */
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

/** As the standard asks of names and secrets in that header. */
function formEncoded(text: string): string {
  return new URLSearchParams({ text }).toString().slice('text='.length)
}
