import type { JWTVerifyGetKey } from 'jose'
import { z } from 'zod'

export type OidcSettings = {
  /** As the provider writes it, apart from a slash at its end. */
  readonly issuer: string
  readonly clientId: string
  readonly clientSecret: string
  /** What the sign-in page calls it. */
  readonly name: string
  /** Whose addresses may make an account. */
  readonly allowedDomains?: readonly string[] | undefined
}

/** What a provider says of itself, and its keys, which are fetched when the first token comes and again when others sign. */
export type ProviderMetadata = {
  issuer: string
  authorizationEndpoint: string
  tokenEndpoint: string
  userinfoEndpoint: string | undefined
  /** How our secret is presented: in the body, or in a header as the standard has it unless told otherwise. */
  secretInBody: boolean
  keys: JWTVerifyGetKey
}

export type Discovery = () => Promise<ProviderMetadata>

/** A provider that hangs must not keep people, and our connections, waiting. */
export const providerMs = 5000
const cacheMs = 3_600_000

const discoveryDocument = z.object({
  issuer: z.string(),
  authorization_endpoint: z.url(),
  token_endpoint: z.url(),
  jwks_uri: z.url(),
  userinfo_endpoint: z.url().optional(),
  token_endpoint_auth_methods_supported: z.array(z.string()).optional(),
})

/**
 * Asks a provider for its description when it is first needed and keeps it for an hour; what failed is asked again by whoever comes next,
 * so that a provider that was down at our start is there as soon as it is up. Throws in one line what is wrong with the answer.
 */
export function makeDiscovery(settings: OidcSettings): Discovery {
  let kept: { at: number; found: Promise<ProviderMetadata> } | undefined
  return async () => {
    if (kept && performance.now() - kept.at < cacheMs) return await kept.found
    const asked = { at: performance.now(), found: discover(settings) }
    kept = asked
    asked.found.catch(() => {
      if (kept === asked) kept = undefined
    })
    return await asked.found
  }
}

async function discover({ issuer }: OidcSettings): Promise<ProviderMetadata> {
  const address = `${withoutSlash(issuer)}/.well-known/openid-configuration`
  const response = await fetch(address, { redirect: 'error', signal: AbortSignal.timeout(providerMs) })
  if (!response.ok) throw new Error(`${address} answers ${response.status}`)
  const read = discoveryDocument.safeParse(await response.json())
  if (!read.success) throw new Error(`${address} lacks ${[...new Set(read.error.issues.map(({ path }) => path.join('.')))].join(', ')}`)
  const { data } = read
  if (withoutSlash(data.issuer) !== withoutSlash(issuer)) throw new Error(`${address} names another issuer, ${data.issuer}`)
  const endpoints = [data.authorization_endpoint, data.token_endpoint, data.jwks_uri, data.userinfo_endpoint ?? data.jwks_uri]
  if (issuer.startsWith('https:') && !endpoints.every((each) => each.startsWith('https:')))
    throw new Error(`${address} names an address without TLS`)
  const { createRemoteJWKSet } = await import('jose')
  const methods = data.token_endpoint_auth_methods_supported ?? ['client_secret_basic']
  return {
    issuer: data.issuer,
    authorizationEndpoint: data.authorization_endpoint,
    tokenEndpoint: data.token_endpoint,
    userinfoEndpoint: data.userinfo_endpoint,
    secretInBody: !methods.includes('client_secret_basic') && methods.includes('client_secret_post'),
    keys: createRemoteJWKSet(new URL(data.jwks_uri), { timeoutDuration: providerMs }),
  }
}

function withoutSlash(text: string): string {
  return text.replace(/\/$/, '')
}
