import { randomBytes } from 'node:crypto'
import { cookieName } from '../../../src/auth/sessionCookie.ts'
import { openSession } from '../../../src/domain/access/sessions/openSession.ts'
import { setTeamMember } from '../../../src/domain/access/teams/memberships.ts'
import { type Context, contextFor, type Services } from '../../../src/domain/context.ts'
import type { Role } from '../../../src/entities/Membership.ts'
import type { User } from '../../../src/entities/User.ts'
import { aServiceContext, aUser } from '../factories.ts'

/** Signs a person in and returns the `Cookie` header. A POST also needs an `Origin`, see {@link asPerson}. */
export async function aSession(services: Services, { userId }: { userId: string }): Promise<string> {
  const token = randomBytes(16).toString('hex')
  await openSession(aServiceContext(services), { userId, token })
  return `${cookieName(services.settings.publicUrl, 'session')}=${token}.signature`
}

/** The headers of our pages for a signed-in person. */
export async function asPerson(services: Services, { userId }: { userId: string }): Promise<{ cookie: string; origin: string }> {
  return { cookie: await aSession(services, { userId }), origin: services.settings.publicUrl }
}

/** As if a request of that person had been admitted. */
export function aPersonContext(services: Services, { userId }: { userId: string }): Context {
  return contextFor(services, { kind: 'person', userId })
}

/** A new person in a team. */
export async function aMember(services: Services, { teamId, role }: { teamId: string; role: Role }): Promise<User> {
  const user = await aUser(services)
  await setTeamMember(aServiceContext(services), { teamId, userId: user.id, role })
  return user
}
