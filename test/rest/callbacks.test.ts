import { afterAll, expect, test } from 'vitest'
import { verifyWebhook } from '../../clients/typescript/src/webhooks/verifyWebhook.ts'
import { issueKey } from '../../src/domain/access/keys/issueKey.ts'
import { callbackSecretOf } from '../../src/domain/webhooks/callbacks/callbackSecret.ts'
import { testApp } from '../support/app.ts'
import { aServiceContext, aTeamWithKey } from '../support/factories.ts'
import { aReceiver } from '../support/webhooks/receiver.ts'
import { loopback } from '../support/webhooks/webhooks.ts'

/** Images are rendered first, which takes seconds on a busy machine. */
const soon = { timeout: 30_000, interval: 20 }
const app = await testApp({ settings: loopback, worker: true, clock: 'database' })
afterAll(app.close)
const tool = aServiceContext(app.services)

async function aTeam() {
  const made = await aTeamWithKey(app.services)
  const { value: manager } = await issueKey(tool, {
    teamId: made.team.id,
    userId: made.user.id,
    name: 'manager',
    scopes: ['webhooks:write'],
  })
  return { ...made, manager }
}

const body = (webhook: unknown) => ({ familyId: 'sandbox-image', prompt: 'a lighthouse', webhook })
const start = (key: string, webhook: unknown, headers = {}) => app.ask('POST /generations', { key, body: body(webhook), headers })

test('a start with a callback, alone and in a batch, sends its end, signed with the secret of the team, and the log has it', async () => {
  const { value: key, manager, team } = await aTeam()
  const receiver = await aReceiver()
  const url = `${receiver.address}/orders/1?x=1`
  const started = await start(key, { url })
  expect(started.status).toBe(201)
  expect(started.text).not.toContain(url)
  const failing = { ...body({ url, events: ['generation.failed'] }), parameters: { outcome: 'timeout/model_timeout' } }
  const unwanted = body({ url, events: ['generation.failed'] })
  const batch = await app.ask('POST /generations/batch', { key, body: { items: [failing, unwanted, body({ url: 'https://10.0.0.1/' })] } })
  const places = batch.body.items as unknown as { status: number; generation?: { generationId: string } }[]
  expect(places.map(({ status }) => status)).toEqual([201, 201, 400])
  await expect.poll(() => receiver.received.length, soon).toBe(2)
  const secrets = (await callbackSecretOf(tool, team.id)).secret
  const events = await Promise.all(receiver.received.map(({ headers, body }) => verifyWebhook({ body, headers, secrets })))
  const sent = new Map(events.map(({ event, data }) => [data.generation.generationId, event]))
  expect(sent).toEqual(
    new Map([
      [started.body.generationId, 'generation.completed'],
      [places[0]?.generation?.generationId ?? '', 'generation.failed'],
    ]),
  )
  const list = async (query: string) => (await app.ask(`GET /deliveries?${query}`, { key: manager })).body
  await expect.poll(async () => (await list('callbacks=true&state=delivered')).items.length, soon).toBe(2)
  const all = await list('')
  expect(all.items).toMatchObject([1, 2].map(() => ({ subscriptionId: null, address: url, state: 'delivered' })))
  const page = await list('limit=1')
  expect((await list(`limit=1&cursor=${page.nextCursor}`)).items).toEqual(all.items.slice(1))
  const { id } = all.items[0] ?? {}
  expect(await app.ask(`GET /deliveries/${id}`, { key: manager })).toMatchObject({ status: 200, body: { id, subscriptionId: null } })
  expect((await app.ask(`POST /deliveries/${id}/redeliver`, { key: manager })).status).toBe(200)
  await expect.poll(() => receiver.received.length, soon).toBe(3)
  expect((await app.ask('GET /webhooks', { key: manager })).body.items).toEqual([])
})

test.each<[string, unknown, string, string]>([
  ['a private address', { url: 'https://10.0.0.1/' }, 'webhook.url', 'not_allowed'],
  ['no address', {}, 'webhook.url', 'required'],
  ['an empty address', { url: '' }, 'webhook.url', 'too_small'],
  ['no URL', { url: 'nowhere' }, 'webhook.url', 'bad_format'],
  ['a URL of 3,000 characters', { url: `https://x.test/${'x'.repeat(3000)}` }, 'webhook.url', 'too_long'],
  ['an unknown event', { url: 'https://x.test/', events: ['generation.started'] }, 'webhook.events.0', 'not_allowed'],
  ['no event', { url: 'https://x.test/', events: [] }, 'webhook.events', 'too_small'],
  ['an unknown field', { url: 'https://x.test/', secret: 'x' }, 'webhook.secret', 'unknown_field'],
  ['a text', 'https://x.test/', 'webhook', 'wrong_type'],
])('a start with %s as its callback is refused', async (_, webhook, path, code) => {
  const { value: key } = await aTeam()
  const { status, body } = await start(key, webhook)
  const issues = body.error.details['issues'] as { path: string[]; code: string }[]
  expect([status, body.error.code, issues.map((issue) => [issue.path.join('.'), issue.code])]).toEqual([
    400,
    'invalid_request',
    [[path, code]],
  ])
  expect((await app.ask('GET /account', { key })).body.creditsAvailable).toBe(1000)
})

test('an estimate ignores the callback, and another address under the same Idempotency-Key is a conflict', async () => {
  const { value: key } = await aTeam()
  expect(
    (await app.ask('POST /generations/estimate', { key, body: body({ url: 'https://10.0.0.1/', events: ['generation.failed'] }) })).status,
  ).toBe(200)
  const named = { 'idempotency-key': 'order-1' }
  expect((await start(key, { url: 'http://127.0.0.1:9/one', events: ['generation.failed'] })).status).toBe(201)
  expect((await start(key, { url: 'http://127.0.0.1:9/one' }, named)).status).toBe(201)
  expect((await start(key, { url: 'http://127.0.0.1:9/one' }, named)).body.replayed).toBe(true)
  expect(await start(key, { url: 'http://127.0.0.1:9/two' }, named)).toMatchObject({
    status: 409,
    body: { error: { code: 'idempotency_conflict' } },
  })
})

test('the log of a team refuses a key without the scope, a faulty filter and a foreign cursor', async () => {
  const { value: key, manager } = await aTeam()
  const asked = (query: string, by?: string) => app.ask(`GET /deliveries${query}`, by === undefined ? {} : { key: by })
  expect((await asked('')).status).toBe(401)
  expect(await asked('', key)).toMatchObject({ status: 403, body: { error: { code: 'insufficient_scope' } } })
  for (const query of ['?state=lost', '?callbacks=1', '?webhook=x', '?since=yesterday', '?since=0000-02-29T20:00:00Z'])
    expect(await asked(query, manager)).toMatchObject({ status: 400, body: { error: { code: 'invalid_request' } } })
  expect((await asked('?since=2026-11-20T12:00:00.0000000000Z', manager)).status).toBe(200)
  expect(await asked('?cursor=x', manager)).toMatchObject({ status: 400, body: { error: { code: 'invalid_cursor' } } })
})
