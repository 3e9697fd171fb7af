import type { KeyActor } from '../../src/domain/access/actor.ts'
import { issueKey } from '../../src/domain/access/keys/issueKey.ts'
import { createUser } from '../../src/domain/access/people/users.ts'
import { type Spender, spenderOf } from '../../src/domain/access/spender.ts'
import { setTeamMember } from '../../src/domain/access/teams/memberships.ts'
import { createTeam } from '../../src/domain/access/teams/teams.ts'
import { type Context, contextFor, type Services } from '../../src/domain/context.ts'
import { grantCredits } from '../../src/domain/credits/grantCredits.ts'
import type { ApiKey, Scope } from '../../src/entities/ApiKey.ts'
import type { Role } from '../../src/entities/Membership.ts'
import type { Team } from '../../src/entities/Team.ts'
import type { User } from '../../src/entities/User.ts'

/** Every scope of REST. */
export const restScopes: readonly Scope[] = ['catalog:read', 'generations:read', 'generations:write', 'files:write', 'account:read']

let count = 0

/** An internal tool's context. */
export function aServiceContext(services: Services): Context {
  return contextFor(services, { kind: 'service' })
}

/** A person with a unique e-mail address. */
export function aUser(
  services: Services,
  { subscriptionActive = false, password }: { subscriptionActive?: boolean; password?: string } = {},
): Promise<User> {
  count += 1
  return createUser(aServiceContext(services), {
    email: `person${count}@example.test`,
    name: `Person ${count}`,
    subscriptionActive,
    password,
  })
}

/** A team with one member (default: owner) and credits (default: 1,000). */
export async function aTeam(
  services: Services,
  { credits = 1000, role = 'owner', ...person }: { credits?: number; role?: Role; subscriptionActive?: boolean } = {},
): Promise<{ team: Team; user: User }> {
  const context = aServiceContext(services)
  const user = await aUser(services, person)
  const team = await createTeam(context, { name: `Team of ${user.name}` })
  await setTeamMember(context, { teamId: team.id, userId: user.id, role })
  if (credits > 0) await grantCredits(context, { teamId: team.id, credits, note: 'test', idempotencyKey: 'factory' })
  return { team, user }
}

export type TeamWithKey = {
  team: Team
  user: User
  key: ApiKey
  /** The bearer token. */
  value: string
  actor: KeyActor
  /** As if REST had admitted a request with the key. */
  context: Context
  spender: Spender
}

/** A team, its owner, credits and a key of the owner's. */
export async function aTeamWithKey(
  services: Services,
  options: {
    credits?: number
    scopes?: readonly Scope[]
    dailyLimitCredits?: number
    monthlyLimitCredits?: number
    singleLimitCredits?: number
    subscriptionActive?: boolean
  } = {},
): Promise<TeamWithKey> {
  const { scopes = restScopes, dailyLimitCredits, monthlyLimitCredits, singleLimitCredits, subscriptionActive = false, ...rest } = options
  const { team, user } = await aTeam(services, { ...rest, subscriptionActive })
  const asked = { teamId: team.id, userId: user.id, name: 'test key', scopes, dailyLimitCredits, monthlyLimitCredits, singleLimitCredits }
  const { apiKey: key, value } = await issueKey(aServiceContext(services), asked)
  const actor = actorOf(key, { subscriptionActive })
  return { team, user, key, value, actor, context: contextFor(services, actor), spender: spenderOf(actor) }
}

/** A person without a team, with personal credits and an agent key, as if MCP had admitted a request. */
export async function anAgent(services: Services): Promise<Omit<TeamWithKey, 'team'>> {
  const tool = aServiceContext(services)
  const user = await aUser(services, { subscriptionActive: true })
  await grantCredits(tool, { userId: user.id, credits: 100, note: 'test', idempotencyKey: 'factory' })
  const { apiKey: key, value } = await issueKey(tool, { userId: user.id, name: 'agent', scopes: ['mcp'] })
  const actor = actorOf(key, { subscriptionActive: true, door: 'mcp' })
  return { user, key, value, actor, context: contextFor(services, actor), spender: spenderOf(actor) }
}

/** The actor of an admitted key. */
export function actorOf(
  key: ApiKey,
  { subscriptionActive = false, door = 'rest' }: { subscriptionActive?: boolean; door?: KeyActor['door'] } = {},
): KeyActor {
  const { id: keyId, userId, teamId, scopes, expiresAt } = key
  return { kind: 'key', door, keyId, userId, teamId, scopes, subscriptionActive, expiresAt }
}
