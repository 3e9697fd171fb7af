import type { Services } from '../domain/context.ts'
import type { SessionMaker } from './betterAuth.ts'

/** The library is loaded when somebody signs in for the first time: most processes never need it, and all start sooner. */
export function lazySessionMaker(services: Services): () => Promise<SessionMaker> {
  let made: Promise<SessionMaker> | undefined
  return () => {
    made ??= import('./betterAuth.ts').then(({ makeSessionMaker }) =>
      makeSessionMaker(services, { provider: undefined, errorPath: '/integrations/sign-in' }),
    )
    return made
  }
}
