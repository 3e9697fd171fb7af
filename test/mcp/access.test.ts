import { afterAll, expect, test } from 'vitest'
import { issueKey } from '../../src/domain/access/keys/issueKey.ts'
import { revokeKey } from '../../src/domain/access/keys/revokeKey.ts'
import { updateUser } from '../../src/domain/access/people/users.ts'
import { removeTeamMember, setTeamMember } from '../../src/domain/access/teams/memberships.ts'
import { updateTeam } from '../../src/domain/access/teams/teams.ts'
import { grantCredits } from '../../src/domain/credits/grantCredits.ts'
import { testApp } from '../support/app.ts'
import { anAgent, aServiceContext, aTeam, aTeamWithKey, aUser } from '../support/factories.ts'
import { agentClient } from '../support/http/agentClient.ts'
import { rpc, sendToAgents } from '../support/http/agentMessages.ts'

const app = await testApp()
afterAll(app.close)
const { services, clock } = app
const pixel = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
const operator = aServiceContext(services)

const ask = (key: string | undefined, headers: Record<string, string> = {}) => sendToAgents(app, { key, body: rpc('tools/list'), headers })

/** What a key is refused with, as `status code`; `200` for one that is let in. */
async function verdict(key: string | undefined, headers: Record<string, string> = {}): Promise<string> {
  const { status, message } = await ask(key, headers)
  return status === 200 ? '200' : `${status} ${message.error?.code}`
}

async function aMemberWithKey(options: { subscriptionActive?: boolean; scopes?: 'mcp' | 'both' } = {}) {
  const { team } = await aTeam(services)
  const person = await aUser(services, { subscriptionActive: options.subscriptionActive ?? true })
  await setTeamMember(operator, { teamId: team.id, userId: person.id, role: options.scopes === 'both' ? 'admin' : 'member' })
  const scopes = options.scopes === 'both' ? (['mcp', 'catalog:read'] as const) : (['mcp'] as const)
  const { value, apiKey } = await issueKey(operator, { teamId: team.id, userId: person.id, name: 'agent', scopes })
  return { team, person, value, apiKey }
}

test('a missing, unknown or malformed key is refused with a challenge', async () => {
  const none = await ask(undefined)
  expect(none).toMatchObject({ status: 401, message: { error: { code: 'unauthorized' } } })
  expect(none.headers['www-authenticate']).toContain('Bearer')
  expect(await verdict('nonsense')).toBe('401 invalid_token')
})

test('a key without the scope is refused with 403', async () => {
  const { value } = await aTeamWithKey(services, { subscriptionActive: true })
  const answer = await ask(value)
  expect(answer).toMatchObject({ status: 403, message: { error: { code: 'insufficient_scope', details: { required: 'mcp' } } } })
})

test('a member and a person without a team have access while their subscription is active', async () => {
  const member = await aMemberWithKey()
  expect(await verdict(member.value)).toBe('200')
  const alone = await anAgent(services)
  expect(await verdict(alone.value)).toBe('200')
  await updateUser(operator, { id: alone.user.id, subscriptionActive: false })
  expect(await verdict(alone.value)).toBe('403 subscription_required')
  const unpaid = await aMemberWithKey({ subscriptionActive: false })
  expect(await verdict(unpaid.value)).toBe('403 subscription_required')
})

test('a key with other scopes requires an issuer who is owner or administrator, an agent key does not', async () => {
  const both = await aMemberWithKey({ scopes: 'both' })
  expect(await verdict(both.value)).toBe('200')
  await setTeamMember(operator, { teamId: both.team.id, userId: both.person.id, role: 'member' })
  expect(await verdict(both.value)).toBe('403 team_required')
  const alone = await aMemberWithKey()
  await removeTeamMember(operator, { teamId: alone.team.id, userId: alone.person.id })
  expect(await verdict(alone.value)).toBe('403 team_required')
})

test('a key value is refused after its holder lost the role', async () => {
  const { team, value, apiKey } = await aMemberWithKey()
  const { id: holder } = await aUser(services)
  // Today the issuer alone rotates such a key; earlier releases may have shown it to others.
  await services.pool.query('update api_keys set value_holder_id = $2 where id = $1', [apiKey.id, holder])
  expect(await verdict(value)).toBe('403 team_required')
  await setTeamMember(operator, { teamId: team.id, userId: holder, role: 'admin' })
  expect(await verdict(value)).toBe('200')
})

test('agents of a blocked, disabled or expired team are refused', async () => {
  const { value, team } = await aMemberWithKey()
  await updateTeam(operator, { id: team.id, blocked: true })
  expect(await verdict(value)).toBe('403 account_blocked')
  await updateTeam(operator, { id: team.id, blocked: false, externalAccess: false })
  expect(await verdict(value)).toBe('403 access_denied')
  await updateTeam(operator, { id: team.id, externalAccess: true, planExpiresAt: clock.now() })
  expect(await verdict(value)).toBe('403 team_expired')
})

test('objects of another person are unknown to every tool, as inputs, quotes and resources', async () => {
  const theirs = await agentClient(app, (await anAgent(services)).value)
  const work = { familyId: 'sandbox-image', prompt: 'a lighthouse' }
  const { generationId } = (await theirs.call('start_generation', work)).body
  const { fileId } = (await theirs.call('upload_file', { base64: pixel })).body
  const { quoteId } = (await theirs.call('estimate_generation', work)).body
  const { client, call } = await agentClient(app, (await anAgent(services)).value)
  const refusalOf = async (tool: string, given: object) => (await call(tool, { ...given })).body.error.code
  for (const tool of ['get_generation', 'wait_generation', 'cancel_generation'])
    expect([tool, await refusalOf(tool, { generationId })]).toEqual([tool, 'generation_not_found'])
  for (const tool of ['estimate_generation', 'start_generation'])
    for (const id of [fileId, generationId])
      expect([tool, await refusalOf(tool, { ...work, imageIds: [id] })]).toEqual([tool, 'file_not_found'])
  expect(await refusalOf('start_generation', { ...work, quoteId })).toBe('invalid_request')
  await expect(client.readResource({ uri: `atelier://generations/${generationId}` })).rejects.toMatchObject({ code: -32602 })
  expect((await call('list_generations')).body.items).toEqual([])
  expect((await theirs.call('get_generation', { generationId })).body).toMatchObject({ state: 'queued', creditsHeld: 1 })
})

test('an agent cancels generations of its person, and others of the team only for an owner or administrator; the audit log has each cancel', async () => {
  const { team, value: teamKey } = await aTeamWithKey(services, { subscriptionActive: true })
  const start = async () =>
    (await app.ask('POST /generations', { key: teamKey, body: { familyId: 'sandbox-image', prompt: 'x' } })).body.generationId
  const anAgentOf = async (role: 'member' | 'admin') => {
    const person = await aUser(services, { subscriptionActive: true })
    await setTeamMember(operator, { teamId: team.id, userId: person.id, role })
    await grantCredits(operator, { userId: person.id, credits: 10, note: 'test', idempotencyKey: person.id })
    const { value, apiKey } = await issueKey(operator, { teamId: team.id, userId: person.id, name: 'agent', scopes: ['mcp'] })
    return { ...(await agentClient(app, value)), keyId: apiKey.id }
  }
  const [member, administrator] = [await anAgentOf('member'), await anAgentOf('admin')]
  const others = await start()
  expect((await member.call('cancel_generation', { generationId: others })).body.error).toMatchObject({
    code: 'access_denied',
    details: { cause: 'role' },
  })
  expect((await member.call('get_generation', { generationId: others })).body).toMatchObject({ state: 'queued', creditsHeld: 1 })
  const own = (await member.call('start_generation', { familyId: 'sandbox-image', prompt: 'x' })).body.generationId
  expect((await member.call('cancel_generation', { generationId: own })).body).toMatchObject({ cancelled: true })
  expect((await administrator.call('cancel_generation', { generationId: others })).body).toMatchObject({ cancelled: true })
  const entries = `select actor_id, subject_id from audit_entries where team_id = $1 and action = 'generation.cancelled' order by id`
  expect((await services.pool.query(entries, [team.id])).rows).toEqual([
    { actor_id: member.keyId, subject_id: own },
    { actor_id: administrator.keyId, subject_id: others },
  ])
})

test('a revoked key is refused with the next request', async () => {
  const { value, apiKey } = await aMemberWithKey()
  expect(await verdict(value)).toBe('200')
  await revokeKey(operator, apiKey.id)
  expect(await verdict(value)).toBe('401 invalid_token')
})

test('a request from another origin is refused, a request from the own origin is accepted', async () => {
  const { value } = await anAgent(services)
  for (const origin of ['https://evil.example', 'null', `${app.origin}.evil.example`, app.origin.replace(/\d+$/, '1')])
    expect(await verdict(value, { origin })).toBe('403 access_denied')
  expect(await verdict(value, { origin: app.origin })).toBe('200')
})

test('every response has the request identifier and the limits, and requests beyond them are refused', async () => {
  const narrow = await testApp({ databaseUrl: app.databaseUrl, clock, settings: { requestsPerMinute: 3 } })
  try {
    const { value } = await anAgent(services)
    const first = await sendToAgents(narrow, { key: value, body: rpc('tools/list') })
    expect(first.headers).toMatchObject({
      'x-ratelimit-limit': '3',
      'x-ratelimit-remaining': '2',
      'x-request-id': expect.stringMatching(/^req_/),
    })
    const batch = [rpc('tools/list', {}, 1), rpc('tools/list', {}, 2), rpc('tools/list', {}, 3)]
    const many = await sendToAgents(narrow, { key: value, body: batch })
    expect(many).toMatchObject({ status: 429, message: { error: { code: 'rate_limited' } } })
    expect(many.headers['retry-after']).toBeDefined()
  } finally {
    await narrow.close()
  }
})

test('other methods and paths are refused', async () => {
  const { value: key } = await anAgent(services)
  for (const method of ['GET', 'DELETE', 'PUT']) {
    const answer = await app.ask(`${method} //mcp`, { key })
    expect(answer).toMatchObject({ status: 405, headers: { allow: 'POST' }, body: { error: { code: 'method_not_allowed' } } })
  }
  for (const path of ['//mcp/', '//MCP', '//mcp/x'])
    expect((await app.ask(`POST ${path}`, { key, body: rpc('tools/list') })).status).toBe(404)
})
