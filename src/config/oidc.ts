import { isInside } from '../network/addresses.ts'
import { ConfigError } from './configError.ts'
import { type VariableValues, variables } from './variables.ts'

/** An OpenID Connect provider, and our client there. */
export type OidcConfig = {
  readonly issuer: string
  readonly clientId: string
  readonly clientSecret: string
  readonly name: string
  /** E-mail domains that may create an account; undefined when not set. */
  readonly allowedDomains?: readonly string[] | undefined
  /** The claim of the ID token with the groups of the person; undefined when not set. */
  readonly groupsClaim?: string | undefined
}

const names = ['OIDC_ISSUER', 'OIDC_CLIENT_ID', 'OIDC_CLIENT_SECRET', 'OIDC_NAME'] as const

/** Optional variables. Each needs the four above. */
const optionalNames = ['OIDC_ALLOWED_DOMAINS', 'OIDC_GROUPS_CLAIM'] as const

/**
 * Reads the OIDC settings. Either all four or none must be set; OIDC_ALLOWED_DOMAINS and OIDC_GROUPS_CLAIM are optional. The issuer needs
 * TLS unless it is on this machine or in ALLOWED_PRIVATE_ADDRESSES. Throws {@link ConfigError}. Contract: docs/contract.md#oidc-variables.
 */
export function oidcOf(values: VariableValues): OidcConfig | undefined {
  const { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: clientId, OIDC_CLIENT_SECRET: clientSecret, OIDC_NAME: name } = values
  const orphan = names.every((each) => values[each] === undefined) && optionalNames.find((each) => values[each] !== undefined)
  if (orphan) throw new ConfigError(`${orphan} is set, but the other OIDC variables are not`)
  const missing = names.find((each) => values[each] === undefined)
  if (missing && names.every((each) => values[each] === undefined)) return undefined
  if (missing) throw new ConfigError(`${missing} is not set, but the other OIDC variables need it: it takes ${variables[missing].takes}`)
  if (issuer === undefined || clientId === undefined || clientSecret === undefined || name === undefined) return undefined
  if (!isSecureIssuer(issuer, values)) throw new ConfigError(`OIDC_ISSUER takes ${variables.OIDC_ISSUER.takes}`)
  return { issuer, clientId, clientSecret, name, allowedDomains: values.OIDC_ALLOWED_DOMAINS, groupsClaim: values.OIDC_GROUPS_CLAIM }
}

function isSecureIssuer(issuer: string, { ALLOWED_PRIVATE_ADDRESSES }: VariableValues): boolean {
  const { protocol, hostname } = new URL(issuer)
  const host = hostname.replace(/^\[|\]$/g, '')
  const isOwn = host === 'localhost' || host === '::1' || host.startsWith('127.')
  return protocol === 'https:' || isOwn || isInside(host, ALLOWED_PRIVATE_ADDRESSES)
}
