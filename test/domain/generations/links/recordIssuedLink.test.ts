import { afterAll, expect, test, vi } from 'vitest'
import { issueKey } from '../../../../src/domain/access/keys/issueKey.ts'
import { revokeKey } from '../../../../src/domain/access/keys/revokeKey.ts'
import { countActiveLinks } from '../../../../src/domain/generations/links/countActiveLinks.ts'
import { resultLink } from '../../../../src/domain/generations/links/resultLink.ts'
import { countOpenGenerations } from '../../../../src/domain/generations/reading/countOpenGenerations.ts'
import { pruneLinks } from '../../../../src/domain/generations/retention/pruneLinks.ts'
import { testApp } from '../../../support/app.ts'
import { aServiceContext, aTeamWithKey, restScopes, type TeamWithKey } from '../../../support/factories.ts'
import { anEnding, aSubscription, loopback } from '../../../support/webhooks/webhooks.ts'

const app = await testApp({ settings: loopback })
afterAll(app.close)
const { services, clock } = app
const context = aServiceContext(services)
const hourMs = 3_600_000

const links = (keyId: string, count: number) =>
  vi.waitFor(async () => expect(await countActiveLinks(context, keyId)).toBe(count), { timeout: 5000, interval: 20 })

async function anotherKey({ team }: TeamWithKey) {
  return issueKey(context, { teamId: team.id, name: 'reader', scopes: restScopes })
}

test('each result counts once for every key that read a link to it, until the newest link expires', async () => {
  const made = await aTeamWithKey(services)
  const { apiKey: reader, value } = await anotherKey(made)
  const id = await anEnding(made, 'ready')
  await anEnding(made, 'ready')
  await anEnding(made, 'failed')
  expect((await app.ask(`GET /generations/${id}`, { key: made.value })).status).toBe(200)
  await links(made.key.id, 1)
  await app.ask('GET /generations', { key: value })
  await app.ask('GET /generations', { key: value })
  await links(reader.id, 2)
  await clock.advance(40 * hourMs)
  await app.ask(`GET /generations/${id}`, { key: value })
  await clock.advance(8 * hourMs)
  await links(made.key.id, 0)
  await links(reader.id, 1)
  expect(await pruneLinks(context)).toBe(2)
  expect(await pruneLinks(context)).toBe(0)
  await links(reader.id, 1)
})

test('a deleted result counts for no key', async () => {
  const made = await aTeamWithKey(services)
  const { apiKey: reader, value } = await anotherKey(made)
  const id = await anEnding(made, 'ready')
  for (const key of [made.value, value]) await app.ask(`GET /generations/${id}`, { key })
  for (const key of [made.key, reader]) await links(key.id, 1)
  await app.ask(`DELETE /generations/${id}/result`, { key: value })
  for (const key of [made.key, reader]) await links(key.id, 0)
})

test('a link in the body of a webhook counts for the key that started the work', async () => {
  const made = await aTeamWithKey(services)
  await anEnding(made, 'ready')
  expect(await countActiveLinks(context, made.key.id)).toBe(0)
  await aSubscription(services, made, 'http://127.0.0.1:9/')
  await anEnding(made, 'ready')
  await links(made.key.id, 1)
})

test('a revoked key has no active links', async () => {
  const made = await aTeamWithKey(services)
  await app.ask(`GET /generations/${await anEnding(made, 'ready')}`, { key: made.value })
  await links(made.key.id, 1)
  await revokeKey(context, made.key.id)
  await links(made.key.id, 0)
})

test('open generations of a key are counted until they end, only for the requested keys', async () => {
  const made = await aTeamWithKey(services)
  const { apiKey, value } = await anotherKey(made)
  const start = (key: string) => app.ask('POST /generations', { key, body: { familyId: 'sandbox-image', prompt: 'a boat' } })
  await start(made.value)
  await start(made.value)
  const { body } = await start(value)
  await anEnding(made)
  const counted = () => Promise.all([countOpenGenerations(context, made.key.id), countOpenGenerations(context, apiKey.id)])
  expect(await counted()).toEqual([2, 1])
  await app.ask(`POST /generations/${body.generationId}/cancel`, { key: value })
  expect(await counted()).toEqual([2, 0])
})

test('links that are issued again while they wait to be recorded do not drop others', async () => {
  const made = await aTeamWithKey(services)
  const [id, other] = [await anEnding(made, 'ready'), await anEnding(made, 'ready')]
  const holder = { kind: 'key', keyId: made.key.id } as const
  const give = (generationId: string) => resultLink(services, { generationId, holder })
  // The first record waits here, and all later ones wait behind it.
  const locked = await services.pool.connect()
  await locked.query('begin')
  await locked.query('lock table result_links')
  give(id)
  const waiting = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
  await vi.waitFor(async () => expect((await services.pool.query(waiting)).rowCount).toBe(1), { timeout: 5000, interval: 20 })
  give(other)
  await clock.advance(hourMs)
  give(other)
  await locked.query('commit')
  locked.release()
  await links(made.key.id, 2)
})
