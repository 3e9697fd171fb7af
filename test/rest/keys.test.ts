import { afterAll, expect, test } from 'vitest'
import { issueKey } from '../../src/domain/access/keys/issueKey.ts'
import type { Scope } from '../../src/entities/ApiKey.ts'
import { testApp } from '../support/app.ts'
import { aServiceContext, aTeamWithKey, restScopes } from '../support/factories.ts'
import { managerKeys } from '../support/http/managerKeys.ts'

const app = await testApp()
afterAll(app.close)
const { services, clock } = app
const tool = aServiceContext(services)

const { aManager, issue, aKeyOf } = managerKeys(app)

const inDays = (days: number) => new Date(clock.now().getTime() + days * 86_400_000)

async function lastAudit(subjectId: string) {
  const { rows } = await services.pool.query(
    'select action, actor_kind, actor_id from audit_entries where subject_id = $1 order by id desc limit 1',
    [subjectId],
  )
  return rows[0]
}

const now = clock.now().toISOString()

test('a key issues, reads, changes, rotates and revokes a key of its team, and the audit log names it', async () => {
  const { value: manager, key, user } = await aManager()
  const { status, body } = await issue(manager, { dailyLimitCredits: 5, expiresAt: inDays(3).toISOString() })
  expect(status).toBe(201)
  const { id } = body.apiKey
  expect(body.apiKey).toMatchObject({
    name: 'new',
    scopes: ['catalog:read'],
    state: 'live',
    issuedBy: { id: user.id, name: user.name },
    dailyLimitCredits: 5,
    monthlyLimitCredits: null,
    expiresAt: inDays(3).toISOString(),
    spentTodayCredits: 0,
  })
  expect(await lastAudit(id)).toEqual({ action: 'key.issued', actor_kind: 'key', actor_id: key.id })
  expect((await app.ask('GET /families', { key: body.value })).status).toBe(200)

  const changed = await app.ask(`PATCH /keys/${id}`, { key: manager, body: { name: 'renamed', dailyLimitCredits: null } })
  expect(changed).toMatchObject({ status: 200, body: { name: 'renamed', dailyLimitCredits: null, expiresAt: inDays(3).toISOString() } })
  // The use of the key is stored some time after its request.
  expect((await app.ask(`GET /keys/${id}`, { key: manager })).body).toEqual({ ...changed.body, lastUsedAt: expect.toBeOneOf([null, now]) })

  const rotated = await app.ask(`POST /keys/${id}/rotate`, { key: manager, body: { overlapHours: 1 } })
  expect(rotated).toMatchObject({ status: 200, body: { apiKey: { id, previousPrefix: body.value.slice(0, 12) } } })
  expect((await app.ask('GET /families', { key: rotated.body.value })).status).toBe(200)

  expect((await app.ask(`DELETE /keys/${id}`, { key: manager })).status).toBe(204)
  expect((await app.ask(`DELETE /keys/${id}`, { key: manager })).status).toBe(204)
  expect((await app.ask(`GET /keys/${id}`, { key: manager })).body.state).toBe('revoked')
  expect(await lastAudit(id)).toMatchObject({ action: 'key.revoked', actor_id: key.id })
})

test('the keys of the team are listed in pages with a cursor of that filter', async () => {
  const made = await aManager()
  for (const name of ['first one', 'second one']) await aKeyOf(made, { name })
  const first = await app.ask('GET /keys?limit=2', { key: made.value })
  const rest = await app.ask(`GET /keys?limit=2&cursor=${first.body.nextCursor}`, { key: made.value })
  expect([...first.body.items, ...rest.body.items].map((key) => key.name)).toEqual(['second one', 'first one', 'manager', 'test key'])
  expect(rest.body.nextCursor).toBeNull()
  expect((await app.ask('GET /keys?search=second&state=live', { key: made.value })).body.items).toHaveLength(1)
  const refused = { status: 400, body: { error: { code: 'invalid_cursor' } } }
  expect(await app.ask(`GET /keys?state=live&cursor=${first.body.nextCursor}`, { key: made.value })).toMatchObject(refused)
  expect(await app.ask(`GET /keys?cursor=${first.body.nextCursor}`, { key: (await aManager()).value })).toMatchObject(refused)
  expect(JSON.stringify(first.body)).not.toContain(made.value)
})

test('keys of another team and unknown keys answer alike', async () => {
  const { value } = await aManager()
  const other = await aTeamWithKey(services)
  for (const id of [other.key.id, 'key_00000000000000000000000000', 'nothing', 'k'.repeat(3000), '%00']) {
    for (const call of [`GET /keys/${id}`, `DELETE /keys/${id}`, `POST /keys/${id}/rotate`, `PATCH /keys/${id}`]) {
      const body = call.startsWith('PATCH') ? { name: 'mine' } : undefined
      expect([call, await app.ask(call, { key: value, ...(body ? { body } : {}) })]).toMatchObject([
        call,
        { status: 404, body: { error: { code: 'not_found' } } },
      ])
    }
  }
})

test('keys:write opens nothing else, and no other scope opens the keys', async () => {
  const { value, team, user } = await aManager({ scopes: ['keys:write'] })
  for (const call of ['GET /families', 'GET /generations', 'GET /account', 'GET /webhooks'])
    expect(await app.ask(call, { key: value })).toMatchObject({ status: 403, body: { error: { code: 'insufficient_scope' } } })
  const started = await app.ask('POST /generations', { key: value, body: { familyId: 'sandbox-image', prompt: 'a boat' } })
  expect(started).toMatchObject({ status: 403, body: { error: { code: 'insufficient_scope' } } })
  const scopes: Scope[] = [...restScopes, 'mcp', 'webhooks:write']
  const { value: other } = await issueKey(tool, { teamId: team.id, userId: user.id, name: 'other', scopes })
  expect(await issue(other)).toMatchObject({
    status: 403,
    body: { error: { code: 'insufficient_scope', details: { required: 'keys:write' } } },
  })
  expect((await app.ask('GET /keys')).status).toBe(401)
})

test.each<[string, object]>([
  ['another team', { teamId: 'team_00000000000000000000000000' }],
  ['another issuer', { userId: 'user_00000000000000000000000000' }],
  ['an unknown scope', { scopes: ['all'] }],
  ['the name of a scope in GraphQL', { scopes: ['CATALOG_READ'] }],
  ['a repeated scope', { scopes: ['catalog:read', 'catalog:read'] }],
  ['no scope', { scopes: [] }],
  ['an end in the past', { expiresAt: '2020-01-01T00:00:00Z' }],
  ['an end without a time', { expiresAt: '2027-01-01' }],
  ['an impossible end', { expiresAt: '2027-02-30T00:00:00Z' }],
  ['an end in the year 0', { expiresAt: '0000-07-31T10:00:00Z' }],
  ['an end in the year 10000 in UTC', { expiresAt: '9999-12-31T23:59:59-14:00' }],
  ['an end in the year 10000', { expiresAt: '+010000-01-01T00:00:00Z' }],
  ['a negative ceiling', { dailyLimitCredits: -1 }],
  ['three decimals', { monthlyLimitCredits: 1.005 }],
  ['a number as a name', { name: 5 }],
  ['a blank name', { name: ' ' }],
])('a new key with %s is refused', async (_, body) => {
  expect(await issue((await aManager()).value, body)).toMatchObject({ status: 400, body: { error: { code: 'invalid_request' } } })
})
