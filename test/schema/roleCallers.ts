import { type ExecutionResult, execute, parse, subscribe } from 'graphql'
import { vi } from 'vitest'
import { newId } from '../../src/contract/ids.ts'
import type { Actor, KeyActor } from '../../src/domain/access/actor.ts'
import { setTeamFamilyAvailability } from '../../src/domain/access/availability/setTeamFamilyAvailability.ts'
import { inviteMember } from '../../src/domain/access/invitations/inviteMember.ts'
import { issueKey } from '../../src/domain/access/keys/issueKey.ts'
import { createServiceToken } from '../../src/domain/access/serviceTokens.ts'
import { spenderOf } from '../../src/domain/access/spender.ts'
import { setTeamMember } from '../../src/domain/access/teams/memberships.ts'
import { setTeamGroup } from '../../src/domain/access/teams/teamGroups.ts'
import { createTeam } from '../../src/domain/access/teams/teams.ts'
import { contextFor, type Services } from '../../src/domain/context.ts'
import { grantCredits } from '../../src/domain/credits/grantCredits.ts'
import { startGeneration } from '../../src/domain/generations/start/startGeneration.ts'
import { refusalOf } from '../../src/domain/sql.ts'
import { sendTestEvent } from '../../src/domain/webhooks/deliveries/sendTestEvent.ts'
import { schema } from '../../src/schema/schema.ts'
import { anAlertSubscription } from '../support/alerts/alerts.ts'
import { actorOf, aServiceContext, aUser, type TeamWithKey } from '../support/factories.ts'
import { testEndpoint } from '../support/http/graphql.ts'
import { aMember } from '../support/people/sessions.ts'
import { aDeliverer, anEnding, aSubscription } from '../support/webhooks/webhooks.ts'
import type { Column } from './roleColumns.ts'
import { rootFields } from './rootFields.ts'

export type Outcome = { data: unknown; codes: string[] }
export type Caller = (document: string) => Promise<Outcome>

/** Every kind of caller, by column. All but the last run in the process, with the actor that authentication creates. */
export async function callersOf(services: Services, own: TeamWithKey, other: TeamWithKey): Promise<Record<Column, Caller>> {
  const as = (actor: Actor) => (source: string) => inProcess(services, actor, source)
  const withScope = (scope: KeyActor['scopes'][number], door: KeyActor['door'] = 'rest') =>
    as({ ...actorOf(own.key, { door }), scopes: [scope] })
  const inTheTeam = async (role: 'admin' | 'member') => {
    const { id: userId } = await aMember(services, { teamId: own.team.id, role })
    return as({ kind: 'person', userId })
  }
  const endpoint = await testEndpoint(services, { allowLocalIntrospection: true })
  const people = {
    owner: as({ kind: 'person', userId: own.user.id }),
    admin: await inTheTeam('admin'),
    member: await inTheTeam('member'),
    foreign: as({ kind: 'person', userId: other.user.id }),
    alone: as({ kind: 'person', userId: (await aUser(services)).id }),
  }
  await services.pool.query('update users set password_hash = $1', [await services.passwords.hash('correct horse')])
  return {
    service: as({ kind: 'service' }),
    'catalog:read': withScope('catalog:read'),
    'generations:read': withScope('generations:read'),
    'generations:write': withScope('generations:write'),
    'files:write': withScope('files:write'),
    'account:read': withScope('account:read'),
    'keys:write': withScope('keys:write'),
    'webhooks:write': withScope('webhooks:write'),
    mcp: withScope('mcp'),
    agent: withScope('mcp', 'mcp'),
    otherTeam: as(other.actor),
    ...people,
    job: as({ kind: 'system' }),
    stranger: async (source) => {
      const { data, errors } = await endpoint.ask(source, {}, { authorization: '' })
      return { data, codes: errors.map(({ extensions }) => extensions.code) }
    },
  }
}

async function inProcess(services: Services, actor: Actor, source: string): Promise<Outcome> {
  const { signal } = new AbortController()
  const asked = { schema, document: parse(source), contextValue: { context: contextFor(services, actor), signal } }
  const { data, errors = [] } = source.startsWith('subscription') ? await firstOf(await subscribe(asked)) : await execute(asked)
  return { data, codes: errors.map((error) => refusalOf(error.cause)?.code ?? error.message) }
}

/** The first result of a subscription. */
async function firstOf(results: AsyncGenerator<ExecutionResult> | ExecutionResult): Promise<ExecutionResult> {
  if (!(Symbol.asyncIterator in results)) return results
  for await (const result of results) return result
  throw new Error('the subscription sent nothing')
}

const unusedAddress = 'http://127.0.0.1:9/'

/** Creates a team with one object of each type. Returns the values of the placeholders in the documents. */
export async function aFullTeam(services: Services, own: TeamWithKey): Promise<Record<string, string>> {
  const tool = aServiceContext(services)
  const { team, user, key } = own
  const spare = await aUser(services)
  await setTeamMember(tool, { teamId: team.id, userId: spare.id, role: 'member' })
  await grantCredits(tool, { userId: user.id, credits: 500, note: 'test', idempotencyKey: 'own' })
  await setTeamGroup(tool, { teamId: team.id, group: 'renderers', role: 'member' })
  await setTeamFamilyAvailability(tool, { familyId: 'sandbox-offline', teamId: team.id, available: false })
  const ownKey = await issueKey(tool, { userId: user.id, name: 'own', scopes: ['mcp'] })
  const doomedKey = await issueKey(tool, { teamId: team.id, userId: user.id, name: 'doomed', scopes: ['catalog:read'] })
  const request = { familyId: 'sandbox-image', prompt: 'a boat' }
  const agent = actorOf(ownKey.apiKey, { door: 'mcp' })
  await startGeneration(contextFor(services, agent), spenderOf(agent), { request, idempotencyKey: undefined })
  const queued = await startGeneration(own.context, own.spender, { request, idempotencyKey: undefined })
  const uploaded = await inProcess(services, { kind: 'service' }, documentFor('Mutation.uploadFile', { TEAM: team.id }, '{ fileId }'))
  const edited = await inProcess(
    services,
    { kind: 'service' },
    documentFor('Mutation.recordEditorGeneration', { TEAM: team.id, USER: user.id }, '{ generationId }'),
  )
  const hook = await aSubscription(services, own, unusedAddress)
  const doomedHook = await aSubscription(services, own, unusedAddress)
  const alerts = await anAlertSubscription(services, own, unusedAddress)
  await services.pool.query(
    `insert into team_alerts (team_id, kind, subject_id, threshold, day, raised_at) values ($1, 'credits.low', $1, '100', current_date, now())`,
    [own.team.id],
  )
  await services.pool.query(`insert into key_refusals values ($1, current_date, 'rate_limited', 1, now())`, [own.key.id])
  const doomedAlerts = await anAlertSubscription(services, own, unusedAddress)
  const delivery = await attemptedTestEvent(services, hook.subscription.id)
  await aFailingHost(services, team.id)
  const invited = await inviteMember(tool, { teamId: team.id, email: 'invited@example.test', role: 'member' })
  const sessionId = newId('ses')
  const { token } = await createServiceToken(tool, { name: 'doomed', readOnly: false })
  const doomedTeam = await createTeam(tool, { name: 'Doomed' })
  await setTeamMember(tool, { teamId: doomedTeam.id, userId: user.id, role: 'owner' })
  return {
    TEAM: team.id,
    USER: user.id,
    SPARE: spare.id,
    ADDED: (await aUser(services)).email,
    KEY: key.id,
    DOOMED_K: doomedKey.apiKey.id,
    READY: await anEnding(own, 'ready'),
    FAILED: await aFallback(services, await anEnding(own, 'failed')),
    QUEUED: String(queued.generation['generationId']),
    EDITED: (edited.data as { it: { generationId: string } }).it.generationId,
    FILE: (uploaded.data as { it: { fileId: string } }).it.fileId,
    DOOMED_F: newId('file'),
    DOOMED_T: doomedTeam.id,
    DOOMED_U: (await aUser(services)).id,
    HOOK: hook.subscription.id,
    DOOMED_H: doomedHook.subscription.id,
    ALERTS: alerts.subscription.id,
    DOOMED_A: doomedAlerts.subscription.id,
    DELIVERY: delivery,
    TOKEN: token.id,
    INVITATION: invited.invitation.id,
    SESSION: sessionId,
    ADDRESS: unusedAddress,
  }
}

/** Restores the deletable objects, so that each caller can try to delete them. */
export async function restoreDeleted({ pool }: Services, names: Record<string, string>): Promise<void> {
  const { DOOMED_F: doomed, FILE: like, DOOMED_T: team, DOOMED_H: hook, DOOMED_A: alerts, USER: owner } = names
  await pool.query(`update webhook_subscriptions set deleted_at = null, secret = '\\x00' where id = any($1) and deleted_at is not null`, [
    [hook, alerts],
  ])
  await pool.query(`update teams set name = 'Doomed', deleted_at = null where id = $1`, [team])
  await pool.query(`insert into memberships (team_id, user_id, role) values ($1, $2, 'owner') on conflict do nothing`, [team, owner])
  const session = `insert into auth.sessions (id, user_id, digest, created_at, expires_at)
    values ($1, $2, $3, present(), present() + interval '1 day') on conflict do nothing`
  for (const id of [names['SESSION'], 'another']) await pool.query(session, [id, owner, id])
  const copy = `insert into files select (jsonb_populate_record(f, jsonb_build_object('id', $1::text))).* from files f where f.id = $2
    on conflict (id) do nothing`
  await pool.query(copy, [doomed, like])
}

/** Marks a generation as taken over by a fallback variant. */
async function aFallback({ pool }: Services, id: string): Promise<string> {
  await pool.query(`update generations set fallback_model_id = 'another' where id = $1`, [id])
  return id
}

/** A test event with at least one attempt. */
async function aFailingHost({ pool }: Services, teamId: string): Promise<void> {
  await pool.query(
    `insert into webhook_subscriptions
         (id, team_id, address, kind, events, paused, secret, created_at, last_delivery_day, last_delivery_outcome)
       values ($1, $2, 'http://127.0.0.1:9', 'callbacks', '{generation.failed}', true, '\\x00', present(), utc_day(present()), 'failed')`,
    [newId('hook'), teamId],
  )
}

async function attemptedTestEvent(services: Services, subscriptionId: string): Promise<string> {
  const { id } = await sendTestEvent(aServiceContext(services), subscriptionId)
  const deliverer = await aDeliverer(services)
  try {
    const attempts = () => services.pool.query('select from webhook_attempts where delivery_id = $1', [id])
    await vi.waitUntil(async () => ((await attempts()).rowCount ?? 0) > 0, { timeout: 10_000, interval: 20 })
  } finally {
    await deliverer.stop()
  }
  return id
}

/** The document for a root field, with its placeholders replaced and the selection added. */
export function documentFor(row: string, names: Record<string, string>, selection: string): string {
  const field = rootFields[row]
  if (field === undefined) throw new Error(`${row} has no document: write one in rootFields.ts`)
  const kind = (row.split('.')[0] ?? '').toLowerCase()
  return withNames(`${kind} { it: ${field} ${selection} }`, names)
}

export function withNames(source: string, names: Record<string, string>): string {
  return source.replaceAll(/"([A-Z_]{3,})"/g, (_, name: string) => `"${names[name] ?? name}"`)
}
