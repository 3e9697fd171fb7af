import { afterAll, expect, test } from 'vitest'
import { issueKey } from '../../src/domain/access/keys/issueKey.ts'
import { testApp } from '../support/app.ts'
import { aServiceContext, aTeamWithKey } from '../support/factories.ts'
import { generationTransitions } from '../support/generations/generationTransitions.ts'

const app = await testApp()
afterAll(app.close)
const { services } = app
const moves = generationTransitions(services)

const usage = async (key: string, query = '') => app.ask(`GET /usage${query}`, { key })
const start = async (key: string, body: object) => String((await app.ask('POST /generations', { key, body })).body['generationId'])
const today = () => services.clock.now().toISOString().slice(0, 10)

async function ready(key: string, body: object): Promise<void> {
  const id = await start(key, body)
  await moves.begin(id)
  await moves.gather(id)
  await moves.finish(id, Buffer.from('bytes'))
}

const image = { familyId: 'sandbox-image', prompt: 'a lighthouse' }
const video = { familyId: 'sandbox-video', prompt: 'waves', parameters: { durationSeconds: 1 } }
const none = { failed: 0, cancelled: 0 }

test('usage by day, family and key has charged credits and the credits held by open generations', async () => {
  const { value: key, key: row } = await aTeamWithKey(services, { credits: 20 })
  await ready(key, image)
  await ready(key, video)
  await start(key, video)
  const sum = { generations: 3, ready: 2, ...none, active: 1, creditsCharged: 3, creditsHeld: 2 }
  expect(await usage(key)).toMatchObject({ status: 200, body: { items: [{ day: today(), ...sum }], nextCursor: null } })
  expect((await usage(key, '?by=key')).body).toEqual({ items: [{ keyId: row.id, ...sum }], nextCursor: null })
  const families = [
    { familyId: 'sandbox-video', generations: 2, ready: 1, ...none, active: 1, creditsCharged: 2, creditsHeld: 2 },
    { familyId: 'sandbox-image', generations: 1, ready: 1, ...none, active: 0, creditsCharged: 1, creditsHeld: 0 },
  ]
  expect((await usage(key, `?by=family&from=${today()}&to=${today()}`)).body).toEqual({ items: families, nextCursor: null })
})

test('usage by reference and by an entry of the metadata ends with a line for all others', async () => {
  const { value: key } = await aTeamWithKey(services, { credits: 20 })
  await ready(key, { ...image, reference: 'order', metadata: { project: 'harbour' } })
  await start(key, { ...video, metadata: { project: 'harbour' } })
  await ready(key, image)
  const other = { other: true, ready: 1, ...none }
  expect((await usage(key, '?by=reference')).body).toEqual({
    items: [
      { reference: 'order', generations: 1, ready: 1, ...none, active: 0, creditsCharged: 1, creditsHeld: 0 },
      { reference: null, generations: 2, ...other, active: 1, creditsCharged: 1, creditsHeld: 2 },
    ],
    nextCursor: null,
  })
  expect((await usage(key, '?by=metadata&name=project')).body).toEqual({
    items: [
      { metadataValue: 'harbour', generations: 2, ready: 1, ...none, active: 1, creditsCharged: 1, creditsHeld: 2 },
      { metadataValue: null, generations: 1, ...other, active: 0, creditsCharged: 1, creditsHeld: 0 },
    ],
    nextCursor: null,
  })
})

test('the days of one key or one family leave out everything else', async () => {
  const made = await aTeamWithKey(services, { credits: 20 })
  const { id: keyId } = made.key
  const asked = { teamId: made.team.id, userId: made.user.id, name: 'second', scopes: ['generations:write' as const] }
  const second = await issueKey(aServiceContext(services), asked)
  await ready(made.value, image)
  await ready(second.value, video)
  await start(made.value, video)
  const none = { failed: 0, cancelled: 0 }
  const ofKey = [{ day: today(), generations: 2, ready: 1, ...none, active: 1, creditsCharged: 1, creditsHeld: 2 }]
  expect((await usage(made.value, `?keyId=${keyId}`)).body).toEqual({ items: ofKey, nextCursor: null })
  const ofFamily = [{ day: today(), generations: 2, ready: 1, ...none, active: 1, creditsCharged: 2, creditsHeld: 2 }]
  expect((await usage(made.value, '?by=day&familyId=sandbox-video')).body).toEqual({ items: ofFamily, nextCursor: null })
  const { value: other } = await aTeamWithKey(services)
  for (const query of [`keyId=${keyId}`, 'familyId=sandbox-video', 'familyId=', 'keyId=key_%27']) {
    expect((await usage(other, `?${query}`)).body['items']).toEqual([])
  }
})

test('a span of days or moments contains only its days', async () => {
  const { value: key } = await aTeamWithKey(services, { credits: 20 })
  await ready(key, image)
  expect((await usage(key, '?from=2020-01-01&to=2020-02-01')).body['items']).toEqual([])
  const items = (await usage(key, `?from=${today()}T00:00:00Z&to=${today()}T00:00:00.001Z`)).body['items']
  expect(items).toMatchObject([{ day: today(), generations: 1 }])
})

test('usage includes the whole team and no other team', async () => {
  const made = await aTeamWithKey(services, { credits: 20 })
  await ready(made.value, image)
  const asked = { teamId: made.team.id, userId: made.user.id, name: 'second', scopes: ['account:read' as const] }
  const { value: second } = await issueKey(aServiceContext(services), asked)
  expect((await usage(second)).body['items']).toMatchObject([{ creditsCharged: 1 }])
  const { value: other } = await aTeamWithKey(services)
  expect((await usage(other)).body['items']).toEqual([])
})

test.each([
  ['?by=month', 'by', 'not_allowed'],
  ['?from=2026-02-30', 'from', 'bad_format'],
  ['?from=yesterday', 'from', 'bad_format'],
  ['?to=9999-12-31', 'to', 'bad_format'],
  ['?from=0000-12-30&to=0001-01-05', 'from', 'bad_format'],
  ['?to=9999-12-31T23:59:59-23:00', 'to', 'bad_format'],
  ['?from=', 'from', 'bad_format'],
  ['?from=2026-01-02&to=2026-01-01', 'to', 'too_small'],
  ['?from=2026-01-01&to=2026-04-03', 'to', 'too_big'],
  ['?from=2020-01-01', 'from', 'too_big'],
  ['?since=2020-01-01', 'since', 'unknown_field'],
  ['?by=metadata', 'name', 'required'],
  ['?by=metadata&name=', 'name', 'required'],
  [`?by=metadata&name=${'x'.repeat(41)}`, 'name', 'too_long'],
  ['?by=reference&name=project', 'name', 'conflict'],
  ['?name=project', 'name', 'conflict'],
  ['?by=family&keyId=key_1', 'keyId', 'conflict'],
  ['?by=metadata&name=project&familyId=x', 'familyId', 'conflict'],
  ['?keyId=key_1&familyId=x', 'familyId', 'conflict'],
  ['?keyId=a&keyId=b', 'keyId', 'conflict'],
  ['?by=reference&from=2026-01-01&to=2026-04-03', 'to', 'too_big'],
])('the query %s is refused at its parameter', async (query, path, code) => {
  const { value: key } = await aTeamWithKey(services)
  const issues = [{ in: 'query', path: [path], code }]
  expect(await usage(key, query)).toMatchObject({ status: 400, body: { error: { code: 'invalid_request', details: { issues } } } })
})

test('a span of 92 days is accepted', async () => {
  const { value: key } = await aTeamWithKey(services)
  expect(await usage(key, '?from=2026-01-01&to=2026-04-02')).toMatchObject({ status: 200 })
})
