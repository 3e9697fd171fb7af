import { issueKey } from '../../domain/access/keys/issueKey.ts'
import { revokeKey } from '../../domain/access/keys/revokeKey.ts'
import { createUser, updateUser } from '../../domain/access/people/users.ts'
import { setTeamMember } from '../../domain/access/teams/memberships.ts'
import { createTeam } from '../../domain/access/teams/teams.ts'
import { type Context, contextFor, type Services } from '../../domain/context.ts'
import { grantCredits } from '../../domain/credits/grantCredits.ts'
import { statement } from '../../domain/sql.ts'
import { ApiKey } from '../../entities/ApiKey.ts'
import { Membership } from '../../entities/Membership.ts'
import { User } from '../../entities/User.ts'
import { makePassword } from '../../secrets/passwords.ts'

const anyTeam = statement<{ id: string }>('any_team', 'select id from teams limit 1')

const email = 'demo@atelier.local'
const keyName = 'demo'
/** The credits of the demo team, and those of its owner, which agents spend. */
const teamCredits = 1000
const personalCredits = 100

/** Printed once, since it is stored nowhere: the key's value, and the sign-in of its owner. */
export type Demo = { key: string; email: string; password: string }

/** Creates the demo if the database has no teams. Contract: docs/contract.md#start-and-stop-of-a-process. */
export async function makeDemoTeam(services: Services): Promise<Demo | undefined> {
  const context = demoContext(services, 'the first start')
  return (await context.sql.one(anyTeam, [])) ? undefined : await renew(context)
}

/** Creates the demo, or gives the existing one a new key and a new password and revokes its earlier keys. */
export function renewDemo(services: Services): Promise<Demo> {
  return renew(demoContext(services, 'atelier demo'))
}

function demoContext(services: Services, tool: string): Context {
  return contextFor(services, { kind: 'service' }, { address: null, userAgent: null, requestId: null, tool })
}

/** Without an active subscription and personal credits, agents could not use the demo key. */
async function renew(context: Context): Promise<Demo> {
  const password = makePassword()
  const userId = await ownerWith(context, password)
  const teamId = await teamOf(context, userId)
  const note = 'To begin with'
  await grantCredits(context, { teamId, credits: teamCredits, note, idempotencyKey: 'demo' })
  await grantCredits(context, { userId, credits: personalCredits, note, idempotencyKey: 'demo' })
  for (const { id } of await context.em().find(ApiKey, { teamId, userId, name: keyName, revokedAt: null })) await revokeKey(context, id)
  const scopes = ['catalog:read', 'generations:read', 'generations:write', 'files:write', 'account:read', 'mcp'] as const
  const { value } = await issueKey(context, { teamId, userId, name: keyName, scopes })
  return { key: value, email, password }
}

async function ownerWith(context: Context, password: string): Promise<string> {
  const known = await context.em().findOne(User, { email, deletedAt: null })
  if (known) await updateUser(context, { id: known.id, password, subscriptionActive: true })
  return known?.id ?? (await createUser(context, { email, name: 'Demo', password, subscriptionActive: true })).id
}

async function teamOf(context: Context, userId: string): Promise<string> {
  const owned = await context.em().findOne(Membership, { userId, role: 'owner' }, { orderBy: { createdAt: 'asc' } })
  if (owned) return owned.teamId
  const { id: teamId } = await createTeam(context, { name: 'Demo' })
  await setTeamMember(context, { teamId, userId, role: 'owner' })
  return teamId
}

/** The instructions for the demo: key, sign-in, guide, and a first image. */
export function describeDemo({ key, email: name, password }: Demo, publicUrl: string): string {
  return [
    `demo key: ${key}`,
    `integrations: ${publicUrl}/integrations`,
    `sign in: ${name} ${password}`,
    `docs: ${publicUrl}/docs/guides/quickstart`,
    '',
    'A first image, to paste:',
    firstGeneration(publicUrl, key),
    '',
  ].join('\n')
}

/** Returns a shell command that generates an image and saves it. */
function firstGeneration(baseUrl: string, key: string): string {
  const body = JSON.stringify({ familyId: 'sandbox-image', prompt: 'A lighthouse at dusk', parameters: { width: 768, height: 512 } })
  const authorization = `-H 'Authorization: Bearer ${key}'`
  const start = `curl -s '${baseUrl}/api/v1/generations?wait=60' ${authorization} -H 'Content-Type: application/json' -d '${body}' -o first.json`
  const fetch = `curl -s "$(grep -o '"url":"[^"]*"' first.json | cut -d'"' -f4)" -o first.png`
  return `${start} && ${fetch} && ls -l first.png`
}
