import { issueKey } from '../../domain/access/keys/issueKey.ts'
import { createUser } from '../../domain/access/people/users.ts'
import { setTeamMember } from '../../domain/access/teams/memberships.ts'
import { createTeam } from '../../domain/access/teams/teams.ts'
import { contextFor, type Services } from '../../domain/context.ts'
import { grantCredits } from '../../domain/credits/grantCredits.ts'
import { statement } from '../../domain/sql.ts'
import { makePassword } from '../../secrets/passwords.ts'

const anyTeam = statement<{ id: string }>('any_team', 'select id from teams limit 1')

/** The credits of the demo team. */
const demoCredits = 1000

/** Printed once, since it is stored nowhere: the key's value, and the sign-in of its owner. */
export type Demo = { key: string; email: string; password: string }

/**
 * Creates a team with an owner, credits and a key if the database has no teams. The owner has no subscription, so that a new user sees
 * how a family that requires one is shown. Contract: docs/contract.md#start-and-stop-of-a-process.
 */
export async function makeDemoTeam(services: Services): Promise<Demo | undefined> {
  const context = contextFor(services, { kind: 'service' }, { address: null, userAgent: null, requestId: null, tool: 'the first start' })
  if (await context.sql.one(anyTeam, [])) return undefined
  const team = await createTeam(context, { name: 'Demo' })
  const email = 'demo@atelier.local'
  const password = makePassword()
  const user = await createUser(context, { email, name: 'Demo', password })
  await setTeamMember(context, { teamId: team.id, userId: user.id, role: 'owner' })
  await grantCredits(context, { teamId: team.id, credits: demoCredits, note: 'To begin with', idempotencyKey: 'demo' })
  const scopes = ['catalog:read', 'generations:read', 'generations:write', 'files:write', 'account:read', 'mcp'] as const
  const { value } = await issueKey(context, { teamId: team.id, userId: user.id, name: 'demo', scopes })
  return { key: value, email, password }
}

/** Returns a shell command that generates an image and saves it. */
export function firstGeneration(baseUrl: string, key: string): string {
  const body = JSON.stringify({ familyId: 'sandbox-image', prompt: 'A lighthouse at dusk', parameters: { width: 768, height: 512 } })
  const authorization = `-H 'Authorization: Bearer ${key}'`
  const start = `curl -s '${baseUrl}/api/v1/generations?wait=60' ${authorization} -H 'Content-Type: application/json' -d '${body}' -o first.json`
  const fetch = `curl -s "$(grep -o '"url":"[^"]*"' first.json | cut -d'"' -f4)" -o first.png`
  return `${start} && ${fetch} && ls -l first.png`
}
