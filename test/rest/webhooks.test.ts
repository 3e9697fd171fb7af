import { afterAll, expect, test } from 'vitest'
import { issueKey } from '../../src/domain/access/keys/issueKey.ts'
import { testApp } from '../support/app.ts'
import { aServiceContext, aTeamWithKey, restScopes } from '../support/factories.ts'
import { aSubscription, loopback } from '../support/webhooks/webhooks.ts'

const app = await testApp({ settings: loopback })
afterAll(app.close)
const { services } = app
const tool = aServiceContext(services)
const address = 'http://127.0.0.1:9/'

/** A team with a key that manages webhooks. */
async function aManager() {
  const made = await aTeamWithKey(services)
  const asked = { teamId: made.team.id, userId: made.user.id, name: 'manager', scopes: ['webhooks:write'] as const }
  const { apiKey, value } = await issueKey(tool, asked)
  return { ...made, key: apiKey, value }
}

const create = (key: string, body: object = {}) =>
  app.ask('POST /webhooks', { key, body: { address, events: ['generation.failed'], ...body } })

test('a key creates, reads, changes, rotates and deletes a webhook, and the audit log names it', async () => {
  const { value: key, key: manager, user } = await aManager()
  const made = await create(key)
  expect(made).toMatchObject({ status: 201, body: { subscription: { address, events: ['generation.failed'], paused: false } } })
  expect(made.body.signingSecret).toMatch(/^whsec_/)
  const { id } = made.body.subscription
  const changed = await app.ask(`PATCH /webhooks/${id}`, { key, body: { paused: true, events: ['generation.completed'] } })
  expect(changed).toMatchObject({ status: 200, body: { paused: true, events: ['generation.completed'] } })
  expect((await app.ask(`GET /webhooks/${id}`, { key })).body).toEqual(changed.body)
  const rotated = await app.ask(`POST /webhooks/${id}/rotate-secret`, { key, body: { overlapHours: 1 } })
  expect(rotated.body.signingSecret).not.toBe(made.body.signingSecret)
  expect(rotated.body.subscription.secretOverlapEndsAt).not.toBeNull()
  expect((await app.ask('GET /webhooks', { key })).body).toEqual({ items: [rotated.body.subscription], nextCursor: null })
  const { rows } = await services.pool.query(
    'select action, actor_id, (select secret_holder_id from webhook_subscriptions where id = $1) as holder from audit_entries where subject_id = $1 order by id',
    [id],
  )
  expect(rows).toEqual(
    ['webhook.created', 'webhook.updated', 'webhook.secret_rotated'].map((action) => ({ action, actor_id: manager.id, holder: user.id })),
  )
  expect((await app.ask(`DELETE /webhooks/${id}`, { key })).status).toBe(204)
  expect((await app.ask(`GET /webhooks/${id}`, { key })).status).toBe(404)
  expect((await app.ask(`DELETE /webhooks/${id}`, { key })).status).toBe(404)
})

test('a test event is logged, listed and sent again', async () => {
  const { value: key } = await aManager()
  const { id } = (await create(key)).body.subscription
  const sent = await app.ask(`POST /webhooks/${id}/test`, { key })
  expect(sent).toMatchObject({ status: 201, body: { subscriptionId: id, event: 'generation.completed', isTest: true, state: 'pending' } })
  await app.ask(`POST /webhooks/${id}/test`, { key })
  const first = await app.ask(`GET /webhooks/${id}/deliveries?limit=1`, { key })
  const second = await app.ask(`GET /webhooks/${id}/deliveries?limit=1&cursor=${first.body.nextCursor}`, { key })
  expect([...first.body.items, ...second.body.items].map(({ eventNumber }) => eventNumber)).toEqual([2, 1])
  expect(second.body.nextCursor).toBeNull()
  expect((await app.ask(`GET /webhooks/${id}/deliveries?state=delivered`, { key })).body.items).toEqual([])
  expect((await app.ask(`GET /webhooks/${id}/deliveries?state=pending&cursor=${first.body.nextCursor}`, { key })).status).toBe(400)
  expect((await app.ask(`GET /deliveries/${sent.body.id}`, { key })).body).toMatchObject({ id: sent.body.id, eventNumber: 1 })
  expect(await app.ask(`POST /deliveries/${sent.body.id}/redeliver`, { key })).toMatchObject({ status: 200, body: { id: sent.body.id } })
  await app.ask(`PATCH /webhooks/${id}`, { key, body: { paused: true } })
  const paused = { status: 400, body: { error: { code: 'invalid_request', details: { issues: [{ code: 'conflict' }] } } } }
  expect(await app.ask(`POST /deliveries/${sent.body.id}/redeliver`, { key })).toMatchObject(paused)
})

test('webhooks and deliveries of another team answer like unknown ones', async () => {
  const { value: key } = await aManager()
  const other = await aTeamWithKey(services)
  const { subscription } = await aSubscription(services, other, address)
  const { value: owner } = await issueKey(tool, { teamId: other.team.id, userId: other.user.id, name: 'own', scopes: ['webhooks:write'] })
  const delivery = (await app.ask(`POST /webhooks/${subscription.id}/test`, { key: owner })).body.id
  const unknown = { status: 404, body: { error: { code: 'not_found' } } }
  for (const id of [subscription.id, 'hook_00000000000000000000000000', 'nothing']) {
    for (const call of [
      'GET /webhooks/ID',
      'DELETE /webhooks/ID',
      'POST /webhooks/ID/rotate-secret',
      'POST /webhooks/ID/test',
      'GET /webhooks/ID/deliveries',
    ])
      expect(await app.ask(call.replace('ID', id), { key })).toMatchObject(unknown)
    expect(await app.ask(`PATCH /webhooks/${id}`, { key, body: { paused: true } })).toMatchObject(unknown)
  }
  for (const id of [delivery, 'evt_00000000000000000000000000', 'nothing']) {
    expect(await app.ask(`GET /deliveries/${id}`, { key })).toMatchObject(unknown)
    expect(await app.ask(`POST /deliveries/${id}/redeliver`, { key })).toMatchObject(unknown)
  }
})

test.each<[string, object]>([
  ['another team', { teamId: 'team_00000000000000000000000000' }],
  ['no events', { events: [] }],
  ['an unknown event', { events: ['generation.started'] }],
  ['a private address', { address: 'https://10.0.0.1/' }],
  ['no address', { address: '' }],
])('a new webhook with %s is refused', async (_, body) => {
  expect(await create((await aManager()).value, body)).toMatchObject({ status: 400, body: { error: { code: 'invalid_request' } } })
})

test('only the scope webhooks:write opens the webhooks, and it opens nothing else', async () => {
  const { value, team, user } = await aManager()
  const { value: other } = await issueKey(tool, { teamId: team.id, userId: user.id, name: 'other', scopes: [...restScopes, 'keys:write'] })
  const missing = { status: 403, body: { error: { code: 'insufficient_scope', details: { required: 'webhooks:write' } } } }
  expect(await create(other)).toMatchObject(missing)
  expect(await app.ask('GET /webhooks', { key: other })).toMatchObject(missing)
  expect((await app.ask('GET /webhooks')).status).toBe(401)
  for (const call of ['GET /keys', 'GET /account', 'GET /generations', 'GET /families'])
    expect((await app.ask(call, { key: value })).status).toBe(403)
})

test('a key reads and rotates the secret of callbacks, and its holder is recorded', async () => {
  const { value: key, user, team } = await aManager()
  const first = await app.ask('GET /callback-secret', { key })
  expect(first).toMatchObject({ status: 200, body: { signingSecret: expect.stringMatching(/^whsec_/), secretOverlapEndsAt: null } })
  expect((await app.ask('GET /callback-secret', { key })).body).toEqual(first.body)
  const rotated = await app.ask('POST /callback-secret/rotate', { key, body: { overlapHours: 1 } })
  expect(rotated.body.signingSecret).not.toBe(first.body.signingSecret)
  expect(rotated.body).toMatchObject({ secretOverlapEndsAt: expect.any(String) })
  expect((await app.ask('GET /callback-secret', { key })).body).toEqual(rotated.body)
  expect((await app.ask('POST /callback-secret/rotate', { key, body: { overlapHours: 25 } })).status).toBe(400)
  for (const { headers } of [first, rotated]) expect(headers['cache-control']).toBe('no-store')
  const { rows } = await services.pool.query(
    `select secret_holder_id as holder from webhook_subscriptions where team_id = $1 and kind = 'callbacks'`,
    [team.id],
  )
  expect(rows).toEqual([{ holder: user.id }])
  const { value: other } = await aTeamWithKey(services)
  expect(await app.ask('GET /callback-secret', { key: other })).toMatchObject({
    status: 403,
    body: { error: { code: 'insufficient_scope' } },
  })
})
