import type { Services } from '../domain/context.ts'
import type { SessionMaker } from './betterAuth.ts'
import type { Discovery, OidcSettings } from './oidcDiscovery.ts'

/** The library is loaded when somebody signs in for the first time: most processes never need it, and all start sooner. */
export function lazySessionMaker(services: Services, oidc?: { settings: OidcSettings; discovery: Discovery }) {
  let made: Promise<SessionMaker> | undefined
  return () => {
    made ??= make(services, oidc)
    made.catch(() => {
      made = undefined
    })
    return made
  }
}

async function make(services: Services, oidc?: { settings: OidcSettings; discovery: Discovery }): Promise<SessionMaker> {
  const { makeSessionMaker } = await import('./betterAuth.ts')
  if (!oidc) return makeSessionMaker(services, undefined)
  const { oidcProvider } = await import('./oidcProvider.ts')
  const provider = oidcProvider(oidc.settings, { discovery: oidc.discovery, clock: services.clock })
  return makeSessionMaker(services, { provider, registration: oidc.settings })
}
