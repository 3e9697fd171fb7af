import type { Services } from '../domain/context.ts'
import type { SessionIssuer } from './betterAuth.ts'
import type { Discovery, OidcSettings } from './oidcDiscovery.ts'

/** Loads better-auth at the first sign-in, so that processes start faster. Most processes never use it. A failed load is retried. */
export function lazySessionIssuer(services: Services, oidc?: { settings: OidcSettings; discovery: Discovery }) {
  let issuer: Promise<SessionIssuer> | undefined
  return () => {
    issuer ??= loadSessionIssuer(services, oidc)
    issuer.catch(() => {
      issuer = undefined
    })
    return issuer
  }
}

async function loadSessionIssuer(services: Services, oidc?: { settings: OidcSettings; discovery: Discovery }): Promise<SessionIssuer> {
  const { makeSessionIssuer } = await import('./betterAuth.ts')
  if (!oidc) return makeSessionIssuer(services, undefined)
  const { oidcProvider } = await import('./oidcProvider.ts')
  const provider = oidcProvider(oidc.settings, { discovery: oidc.discovery, clock: services.clock })
  return makeSessionIssuer(services, { provider, registration: oidc.settings })
}
