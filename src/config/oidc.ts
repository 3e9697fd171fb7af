import { isInside } from '../network/addresses.ts'
import { ConfigError } from './configError.ts'
import { type VariableValues, variables } from './variables.ts'

/** A provider of identities, and what we are called there. */
export type OidcConfig = {
  readonly issuer: string
  readonly clientId: string
  readonly clientSecret: string
  readonly name: string
  /** Whose addresses may make an account; `undefined` when not set. */
  readonly allowedDomains?: readonly string[] | undefined
}

const names = ['OIDC_ISSUER', 'OIDC_CLIENT_ID', 'OIDC_CLIENT_SECRET', 'OIDC_NAME'] as const

/**
 * All four settings, or none; OIDC_ALLOWED_DOMAINS may come with them. An issuer without TLS could be anybody, unless nobody stands between. Throws {@link ConfigError}.
 * Contract: docs/contract.md#oidc-variables.
 */
export function oidcOf(values: VariableValues): OidcConfig | undefined {
  const { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: clientId, OIDC_CLIENT_SECRET: clientSecret, OIDC_NAME: name } = values
  const isAlone = names.every((each) => values[each] === undefined) && values.OIDC_ALLOWED_DOMAINS !== undefined
  if (isAlone) throw new ConfigError('OIDC_ALLOWED_DOMAINS is set, and the other OIDC variables are not')
  const missing = names.find((each) => values[each] === undefined)
  if (missing && names.every((each) => values[each] === undefined)) return undefined
  if (missing)
    throw new ConfigError(`${missing} is not set, and is needed with the other OIDC variables: it takes ${variables[missing].takes}`)
  if (issuer === undefined || clientId === undefined || clientSecret === undefined || name === undefined) return undefined
  if (!isSecureIssuer(issuer, values)) throw new ConfigError(`OIDC_ISSUER takes ${variables.OIDC_ISSUER.takes}`)
  return { issuer, clientId, clientSecret, name, allowedDomains: values.OIDC_ALLOWED_DOMAINS }
}

function isSecureIssuer(issuer: string, { ALLOWED_PRIVATE_ADDRESSES }: VariableValues): boolean {
  const { protocol, hostname } = new URL(issuer)
  const host = hostname.replace(/^\[|\]$/g, '')
  const isOwn = host === 'localhost' || host === '::1' || host.startsWith('127.')
  return protocol === 'https:' || isOwn || isInside(host, ALLOWED_PRIVATE_ADDRESSES)
}
