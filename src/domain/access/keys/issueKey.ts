import { nothing } from '../../../contract/hundredths.ts'
import { newId } from '../../../contract/ids.ts'
import { invalidRequest, Refusal } from '../../../contract/refusals/refusals.ts'
import type { NewKey } from '../../../contract/shapes/keyInputs.ts'
import { ApiKey, type Scope } from '../../../entities/ApiKey.ts'
import { Membership } from '../../../entities/Membership.ts'
import { makeApiKey } from '../../../secrets/apiKeyText.ts'
import { type Context, transaction } from '../../context.ts'
import { lockOwner } from '../../lockOwner.ts'
import { recordAudit } from '../../recordAudit.ts'
import { statement } from '../../sql.ts'
import { type Actor, isLimitedTool } from '../actor.ts'
import { isSubscriber, requireUser } from '../people/users.ts'
import { permissions, roleMay } from '../permissions.ts'
import { requireTeam } from '../teams/teams.ts'
import { ceilingOf, loggedSettings, readExpiry } from './keySettings.ts'
import { lockManagedKeys, requireObjectOfTeam, requireWithinRights } from './managingKey.ts'
import { holderOfNewValue } from './rotateKey.ts'

/** Whether the only scope is `mcp`. Every member of a team may have such a key. Contract: docs/contract.md#agent-keys. */
export function isAgentOnlyKey(scopes: readonly Scope[]): boolean {
  return scopes.every((scope) => scope === 'mcp')
}

/**
 * Issues a key. Its text is returned once, as `value`, and is not stored. A signed-in person issues keys only in their own name: a key
 * acts for its issuer and spends their personal credits over MCP. A key issues keys in the name of its issuer, within its own rights.
 * Refusals: invalid_request; team_required for scopes beyond `mcp` without a team, or with an issuer whose role does not permit them;
 * access_denied for another issuer, rights beyond those of the asking key, and an agent key without an active subscription; rate_limited as
 * {@link limitKeyIssuance}.
 * Locks: the team, the issuer, the asking key.
 * Contract: docs/contract.md#keys-over-graphql, docs/contract.md#agent-keys.
 */
export async function issueKey(context: Context, asked: NewKey): Promise<{ apiKey: ApiKey; value: string }> {
  requireObjectOfTeam(context, asked.teamId)
  if (isLimitedTool(context.actor) && asked.scopes.includes('mcp'))
    throw denied('role', 'A service token of some teams issues no keys with the scope mcp, because they spend personal credits.')
  const scopes = [...asked.scopes]
  const expiresAt = readExpiry(context, asked.expiresAt)
  const userId = await resolveIssuer(context, withOwnIssuer(context.actor, asked), scopes)
  const { value, prefix, hash } = makeApiKey()
  const settings = {
    dailyLimit: ceilingOf(asked.dailyLimitCredits),
    monthlyLimit: ceilingOf(asked.monthlyLimitCredits),
    singleLimit: ceilingOf(asked.singleLimitCredits),
    confirmAbove: ceilingOf(asked.confirmAboveCredits),
    expiresAt,
  }
  const apiKey = await transaction(context, async (inside) => {
    if (asked.teamId) await lockOwner(inside, asked.teamId, 'teamId')
    await limitKeyIssuance(inside)
    await lockOwner(inside, userId, 'userId')
    requireWithinRights(await lockManagedKeys(inside, []), { scopes, ...settings }, 'The new key')
    const issued = inside.em().create(ApiKey, {
      id: newId('key'),
      teamId: asked.teamId ?? null,
      userId,
      name: asked.name,
      scopes,
      prefix,
      hash,
      ...settings,
      heldOpen: nothing,
      chargedDay: '-infinity',
      chargedOnDay: nothing,
      createdAt: context.clock.now(),
      lastUsedAt: null,
      revokedAt: null,
      previousHash: null,
      previousPrefix: null,
      previousUntil: null,
      valueHolderId: holderOfNewValue(context, { userId }),
      previousHolderId: null,
    })
    const after = { issuer: userId, scopes, ...loggedSettings(issued) }
    await recordAudit(inside, { action: 'key.issued', teamId: issued.teamId, subjectId: issued.id, after })
    return issued
  })
  return { apiKey, value }
}

function withOwnIssuer(actor: Actor, asked: NewKey): NewKey {
  if (actor.kind !== 'person' && actor.kind !== 'key') return asked
  if (typeof asked.userId === 'string' && asked.userId !== actor.userId)
    throw denied('role', 'You can issue keys only in your own name, because a key acts for its issuer.')
  return { ...asked, userId: actor.userId }
}

async function resolveIssuer(context: Context, { teamId, userId }: NewKey, scopes: Scope[]): Promise<string> {
  const isAgentOnly = isAgentOnlyKey(scopes)
  if (isAgentOnly) await requireActiveSubscription(context)
  if (typeof teamId === 'string') {
    await requireTeam(context, teamId, 'teamId')
    return typeof userId === 'string' ? requireMemberAsIssuer(context, { teamId, userId }, isAgentOnly) : defaultIssuer(context, teamId)
  }
  if (typeof userId !== 'string') {
    throw invalidRequest({ in: 'body', path: ['teamId'], code: 'required', message: 'A key belongs to a team or to a user.' })
  }
  await requireUser(context, userId, 'userId')
  if (!isAgentOnly)
    throw new Refusal(
      'team_required',
      { missing: 'team' },
      { message: 'Scopes other than mcp need a team. Name a team, or leave these scopes out.' },
    )
  return userId
}

/** Not checked for internal tools. Each MCP request checks the subscription again. */
async function requireActiveSubscription(context: Context): Promise<void> {
  const { actor } = context
  if ((actor.kind !== 'person' && actor.kind !== 'key') || (await isSubscriber(context, actor.userId))) return
  throw denied('subscription', 'A key for agents needs an active subscription.')
}

async function requireMemberAsIssuer(
  context: Context,
  { teamId, userId }: { teamId: string; userId: string },
  isAgentOnly: boolean,
): Promise<string> {
  await requireUser(context, userId, 'userId')
  const member = await context.em().findOne(Membership, { teamId, userId }, { refresh: true })
  if (!roleMay(member?.role, isAgentOnly ? 'agentKeys.issue' : 'keys.issue'))
    throw roleMissing('The user is neither owner nor administrator of the team.')
  return userId
}

async function defaultIssuer(context: Context, teamId: string): Promise<string> {
  for (const role of permissions['keys.issue'].roles) {
    const [first] = await context
      .em()
      .find(Membership, { teamId, role }, { orderBy: { createdAt: 'asc', userId: 'asc' }, limit: 1, refresh: true })
    if (first) return first.userId
  }
  throw roleMissing('The team has neither an owner nor an administrator to issue the key.')
}

function denied(cause: 'role' | 'subscription', message: string): Refusal {
  return new Refusal('access_denied', { cause }, { message })
}

function roleMissing(message: string): Refusal {
  return new Refusal('team_required', { missing: 'role' }, { message })
}

/** More than a person issues by hand. Revoked keys count too, because their rows stay. */
const keysPerDay = 200

/** Serializes concurrent issues by one person, so that each is counted. */
const lockPerson = statement<{ id: string }>('lock_person_to_issue', 'select id from users where id = $1 for no key update')

/** Identifiers are ordered by time, so the index by person and id finds the oldest key of the last 200. */
const waitFor = statement<{ waitSeconds: number }>(
  'wait_for_new_key',
  `select ceil(extract(epoch from created_at + interval '1 day' - present()))::integer as wait_seconds
     from api_keys where user_id = $1 order by id desc offset ${keysPerDay - 1} limit 1`,
)

/**
 * Limits the keys that a person issues, in the browser or by a key, so that a script of a member cannot flood the key list of the team.
 * Internal tools have no limit. Runs in the transaction that inserts the key. Refusals: rate_limited with the seconds until the next key is
 * allowed.
 * Locks: the person.
 */
async function limitKeyIssuance({ actor, sql }: Context): Promise<void> {
  if (actor.kind !== 'person' && actor.kind !== 'key') return
  await sql.one(lockPerson, [actor.userId])
  const retryAfterSeconds = (await sql.one(waitFor, [actor.userId]))?.waitSeconds ?? 0
  if (retryAfterSeconds <= 0) return
  const message = `You have issued ${keysPerDay} keys within a day, which is the limit for one person. Try again tomorrow.`
  throw new Refusal('rate_limited', { limit: keysPerDay, retryAfterSeconds }, { message })
}
