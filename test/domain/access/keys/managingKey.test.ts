import { afterAll, expect, test } from 'vitest'
import { issueKey } from '../../../../src/domain/access/keys/issueKey.ts'
import { revokeKey } from '../../../../src/domain/access/keys/revokeKey.ts'
import { rotateKey } from '../../../../src/domain/access/keys/rotateKey.ts'
import { removeTeamMember, setTeamMember } from '../../../../src/domain/access/teams/memberships.ts'
import { contextFor } from '../../../../src/domain/context.ts'
import { testApp } from '../../../support/app.ts'
import { aServiceContext, aUser } from '../../../support/factories.ts'
import { managerKeys, type Rights } from '../../../support/http/managerKeys.ts'

const app = await testApp()
afterAll(app.close)
const { services, clock } = app
const tool = aServiceContext(services)
const { aManager, issue, aKeyOf } = managerKeys(app)

const inDays = (days: number) => new Date(clock.now().getTime() + days * 86_400_000)

test.each<[string, Rights, object]>([
  ['a scope', { scopes: ['keys:write', 'catalog:read'] }, { scopes: ['catalog:read', 'generations:write'] }],
  ['the scope mcp', { scopes: ['keys:write', 'catalog:read'] }, { scopes: ['mcp'] }],
  ['a daily ceiling', { dailyLimitCredits: 5 }, { dailyLimitCredits: 5.01 }],
  ['no daily ceiling', { dailyLimitCredits: 5 }, {}],
  ['a monthly ceiling', { monthlyLimitCredits: 5 }, { monthlyLimitCredits: 6 }],
  ['no monthly ceiling', { monthlyLimitCredits: 5 }, { monthlyLimitCredits: null }],
  ['a single ceiling', { singleLimitCredits: 5 }, { singleLimitCredits: 6 }],
  ['an end', { expiresAt: new Date('2026-04-01T00:00:00Z') }, { expiresAt: '2026-04-01T00:00:00.001Z' }],
  ['no end', { expiresAt: new Date('2026-04-01T00:00:00Z') }, {}],
])('a key cannot issue %s beyond its own', async (_, own, asked) => {
  const made = await aManager(own)
  expect(await issue(made.value, asked)).toMatchObject({ status: 403, body: { error: { code: 'access_denied' } } })
  const { rows } = await services.pool.query('select count(*)::int as keys from api_keys where team_id = $1', [made.team.id])
  expect(rows).toEqual([{ keys: 2 }])
})

test('a key without ceilings may issue any, and one with ceilings exactly its own', async () => {
  expect((await issue((await aManager()).value, { dailyLimitCredits: 1000 })).status).toBe(201)
  const own = { dailyLimitCredits: 5, monthlyLimitCredits: 50, singleLimitCredits: 1, expiresAt: inDays(2) }
  const { value } = await aManager(own)
  expect((await issue(value, { ...own, expiresAt: own.expiresAt.toISOString() })).status).toBe(201)
})

test('an issued key is bound by its own rights when it issues in turn', async () => {
  const { value } = await aManager()
  const child = await issue(value, { scopes: ['keys:write', 'catalog:read'], dailyLimitCredits: 2 })
  expect(await issue(child.body.value, { dailyLimitCredits: 3 })).toMatchObject({ status: 403 })
  expect(await issue(child.body.value, { scopes: ['account:read'], dailyLimitCredits: 1 })).toMatchObject({ status: 403 })
  expect(await app.ask(`PATCH /keys/${child.body.apiKey.id}`, { key: child.body.value, body: { dailyLimitCredits: 3 } })).toMatchObject({
    status: 403,
  })
})

test.each<[string, Rights]>([
  ['a scope', { scopes: ['generations:write'] }],
  ['a ceiling', { dailyLimitCredits: 100 }],
  ['no ceiling', {}],
])('a key with %s beyond its own cannot be changed, rotated or revoked, not even to less', async (_, rights) => {
  const made = await aManager({ scopes: ['keys:write', 'catalog:read'], dailyLimitCredits: 10 })
  const target = await aKeyOf(made, rights)
  const denied = { status: 403, body: { error: { code: 'access_denied' } } }
  expect(await app.ask(`PATCH /keys/${target.id}`, { key: made.value, body: { dailyLimitCredits: 1 } })).toMatchObject(denied)
  expect(await app.ask(`POST /keys/${target.id}/rotate`, { key: made.value })).toMatchObject(denied)
  expect(await app.ask(`DELETE /keys/${target.id}`, { key: made.value })).toMatchObject(denied)
  expect((await app.ask(`GET /keys/${target.id}`, { key: made.value })).body).toMatchObject({ state: 'live', name: 'target' })
})

test('a key cannot raise its own ceilings or end, but may lower them', async () => {
  const { value, key } = await aManager({ dailyLimitCredits: 10, expiresAt: inDays(2) })
  const change = (body: object) => app.ask(`PATCH /keys/${key.id}`, { key: value, body })
  for (const body of [{ dailyLimitCredits: 11 }, { dailyLimitCredits: null }, { expiresAt: null }, { expiresAt: inDays(3).toISOString() }])
    expect(await change(body)).toMatchObject({ status: 403, body: { error: { code: 'access_denied' } } })
  expect(await change({ dailyLimitCredits: 9 })).toMatchObject({ status: 200, body: { dailyLimitCredits: 9 } })
  expect((await change({ dailyLimitCredits: 10 })).status).toBe(403)
})

test('the value before a rotation gives away nothing that outlives its overlap', async () => {
  const made = await aManager()
  const rotated = await rotateKey(tool, { id: made.key.id, overlapHours: 1 })
  const inMinutes = (minutes: number) => new Date(clock.now().getTime() + minutes * 60_000).toISOString()
  expect((await issue(made.value)).status).toBe(403)
  expect((await issue(made.value, { expiresAt: inMinutes(61) })).status).toBe(403)
  expect((await issue(made.value, { expiresAt: inMinutes(59) })).status).toBe(201)
  expect((await app.ask(`POST /keys/${made.key.id}/rotate`, { key: made.value })).status).toBe(403)
  expect((await issue(rotated.value)).status).toBe(201)
})

test('a key stops managing when its issuer or the holder of its value loses the role', async () => {
  const made = await aManager()
  const admin = await aUser(services)
  await setTeamMember(tool, { teamId: made.team.id, userId: admin.id, role: 'admin' })
  const { value } = await rotateKey(contextFor(services, { kind: 'person', userId: admin.id }), { id: made.key.id })
  const child = await issue(value)
  const target = await aKeyOf(made)
  const rotated = await app.ask(`POST /keys/${target.id}/rotate`, { key: value })
  expect((await app.ask('GET /families', { key: rotated.body.value })).status).toBe(200)
  await removeTeamMember(tool, { teamId: made.team.id, userId: admin.id })
  // The person who saw these values left the team.
  for (const key of [value, child.body.value, rotated.body.value])
    expect(await app.ask('GET /keys', { key })).toMatchObject({ status: 403, body: { error: { code: 'team_required' } } })
})

test('a key with mcp of another person cannot be rotated or loosened by key', async () => {
  const made = await aManager({ scopes: ['keys:write', 'catalog:read', 'mcp'] })
  const admin = await aUser(services)
  await setTeamMember(tool, { teamId: made.team.id, userId: admin.id, role: 'admin' })
  const target = await aKeyOf({ team: made.team, user: admin }, { scopes: ['mcp'], dailyLimitCredits: 1 })
  const denied = { status: 403, body: { error: { code: 'access_denied' } } }
  expect(await app.ask(`POST /keys/${target.id}/rotate`, { key: made.value })).toMatchObject(denied)
  expect(await app.ask(`PATCH /keys/${target.id}`, { key: made.value, body: { dailyLimitCredits: 2 } })).toMatchObject(denied)
  expect(await app.ask(`PATCH /keys/${target.id}`, { key: made.value, body: { dailyLimitCredits: 0.5 } })).toMatchObject({ status: 200 })
  expect((await app.ask(`DELETE /keys/${target.id}`, { key: made.value })).status).toBe(204)
})

test('two keys that revoke each other at once do not wait for one another, and one of them stays', async () => {
  const made = await aManager()
  const { apiKey, value } = await issueKey(tool, { teamId: made.team.id, userId: made.user.id, name: 'second', scopes: made.key.scopes })
  const answers = await Promise.all([
    app.ask(`DELETE /keys/${apiKey.id}`, { key: made.value }),
    app.ask(`DELETE /keys/${made.key.id}`, { key: value }),
  ])
  expect(answers.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([204, 401])
})

test('a key that was revoked after its admission issues nothing', async () => {
  const made = await aManager()
  await revokeKey(tool, made.key.id)
  const context = contextFor(services, { ...made.actor, keyId: made.key.id, scopes: made.key.scopes })
  await expect(issueKey(context, { teamId: made.team.id, name: 'late', scopes: ['catalog:read'] })).rejects.toMatchObject({
    code: 'invalid_token',
  })
})
