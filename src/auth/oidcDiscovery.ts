import type { JWTVerifyGetKey } from 'jose'
import { z } from 'zod'
import { type AddressSettings, type ProviderConnection, providerConnection, providerSeconds } from './providerConnection.ts'

export type OidcSettings = {
  /** Compared with the provider's own spelling; a slash at the end is ignored. */
  readonly issuer: string
  readonly clientId: string
  readonly clientSecret: string
  /** The name on the sign-in page. */
  readonly name: string
  /** Domains whose e-mail addresses may create an account. */
  readonly allowedDomains?: readonly string[] | undefined
  /** The claim of the ID token with the groups of the person: its name, or a path with dots. */
  readonly groupsClaim?: string | undefined
}

/** The metadata of a provider, and its signing keys. The keys are fetched for the first token, and again for an unknown key. */
export type ProviderMetadata = {
  issuer: string
  authorizationEndpoint: string
  tokenEndpoint: string
  userinfoEndpoint: string | undefined
  /** Whether the client secret is sent in the body. Otherwise it is sent as HTTP Basic, the default of the standard. */
  secretInBody: boolean
  /** Whether the scope `groups` exists. Some providers send groups only with it, and others refuse unknown scopes. */
  hasGroupsScope: boolean
  keys: JWTVerifyGetKey
  /** Every request to the provider goes through this. */
  fetchJson: ProviderConnection['fetchJson']
}

export type Discovery = () => Promise<ProviderMetadata>

const cacheMs = 3_600_000

const discoveryDocument = z.object({
  issuer: z.string(),
  authorization_endpoint: z.url(),
  token_endpoint: z.url(),
  jwks_uri: z.url(),
  userinfo_endpoint: z.url().optional(),
  token_endpoint_auth_methods_supported: z.array(z.string()).optional(),
  scopes_supported: z.array(z.string()).optional().catch(undefined),
})

/**
 * Fetches the provider's metadata when it is first needed and caches it for an hour. A failure is not cached, so that a provider that was
 * down at our start works as soon as it is up. Rejects with one line that names the fault of the response.
 */
export function makeDiscovery({ issuer }: Pick<OidcSettings, 'issuer'>, addresses: AddressSettings): Discovery {
  const connection = providerConnection(issuer, addresses)
  let cached: { at: number; found: Promise<ProviderMetadata> } | undefined
  return async () => {
    if (cached && performance.now() - cached.at < cacheMs) return await cached.found
    const fetched = { at: performance.now(), found: discover(issuer, connection) }
    cached = fetched
    fetched.found.catch(() => {
      if (cached === fetched) cached = undefined
    })
    return await fetched.found
  }
}

async function discover(issuer: string, connection: ProviderConnection): Promise<ProviderMetadata> {
  const address = `${withoutSlash(issuer)}/.well-known/openid-configuration`
  const read = discoveryDocument.safeParse(await connection.fetchJson(address))
  if (!read.success) throw new Error(`${address} lacks ${[...new Set(read.error.issues.map(({ path }) => path.join('.')))].join(', ')}`)
  const { data } = read
  if (withoutSlash(data.issuer) !== withoutSlash(issuer)) throw new Error(`${address} names another issuer, ${data.issuer}`)
  const endpoints = [data.authorization_endpoint, data.token_endpoint, data.jwks_uri, data.userinfo_endpoint ?? data.jwks_uri]
  if (issuer.startsWith('https:') && !endpoints.every((each) => each.startsWith('https:')))
    throw new Error(`${address} names an address without TLS`)
  await Promise.all(endpoints.slice(1).map((each) => connection.requireAllowed(each)))
  const { createRemoteJWKSet, customFetch } = await import('jose')
  const methods = data.token_endpoint_auth_methods_supported ?? ['client_secret_basic']
  return {
    issuer: data.issuer,
    authorizationEndpoint: data.authorization_endpoint,
    tokenEndpoint: data.token_endpoint,
    userinfoEndpoint: data.userinfo_endpoint,
    secretInBody: !methods.includes('client_secret_basic') && methods.includes('client_secret_post'),
    hasGroupsScope: data.scopes_supported?.includes('groups') ?? false,
    keys: createRemoteJWKSet(new URL(data.jwks_uri), {
      timeoutDuration: providerSeconds * 1000,
      [customFetch]: async (url: string) => Response.json(await connection.fetchJson(url)),
    }),
    fetchJson: connection.fetchJson,
  }
}

function withoutSlash(text: string): string {
  return text.replace(/\/$/, '')
}
