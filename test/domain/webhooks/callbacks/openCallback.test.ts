import { afterAll, expect, test } from 'vitest'
import { startGeneration } from '../../../../src/domain/generations/start/startGeneration.ts'
import { openCallback } from '../../../../src/domain/webhooks/callbacks/openCallback.ts'
import { pruneCallbacks } from '../../../../src/domain/webhooks/callbacks/pruneCallbacks.ts'
import { listSubscriptions } from '../../../../src/domain/webhooks/subscriptions/findSubscription.ts'
import { actorOf, anAgent, aServiceContext, aTeamWithKey, type TeamWithKey } from '../../../support/factories.ts'
import { issueOf, refused } from '../../../support/refused.ts'
import { testServices } from '../../../support/services.ts'
import { aStartWithCallback } from '../../../support/webhooks/callbacks.ts'
import { loopback } from '../../../support/webhooks/webhooks.ts'

const { services, clock, close } = await testServices({ settings: loopback, poolMax: 20 })
afterAll(close)
const context = () => aServiceContext(services)
const strict = ({ context: own }: TeamWithKey) => ({ ...own, settings: { ...own.settings, allowedPrivateAddresses: [] } })

const countOf = async (text: string, { team }: TeamWithKey) =>
  (await services.pool.query<{ count: number }>(`select count(*)::integer as count from ${text}`, [team.id])).rows[0]?.count
const origins = (team: TeamWithKey) => countOf(`webhook_subscriptions where team_id = $1 and kind = 'callbacks' and address <> ''`, team)

test.each([
  ['http://example.com/hook', 'webhook.url: not_allowed'],
  ['ftp://example.com/hook', 'webhook.url: not_allowed'],
  ['https://user:word@example.com/hook', 'webhook.url: not_allowed'],
  ['https://10.1.2.3/hook', 'webhook.url: not_allowed'],
  ['https://[::1]/hook', 'webhook.url: not_allowed'],
  ['https://2130706433/hook', 'webhook.url: not_allowed'],
  ['https://receiver.invalid/hook', 'webhook.url: not_allowed'],
  ['https://', 'webhook.url: bad_format'],
])('a start with the callback %s is refused, and nothing is held or stored', async (address, issue) => {
  const team = await aTeamWithKey(services)
  // An IP address, so that no name server is needed.
  const url = address.replace('example.com', '93.184.215.14')
  expect(await issueOf(aStartWithCallback(team, { url }, strict(team)))).toBe(issue)
  expect(await origins(team)).toBe(0)
  expect(await countOf('generations where owner_id = $1', team)).toBe(0)
})

test('user information is refused at a host that the team knows, too', async () => {
  const team = await aTeamWithKey(services)
  await aStartWithCallback(team, { url: 'http://127.0.0.1:9/one' })
  expect(await issueOf(aStartWithCallback(team, { url: 'http://user:word@127.0.0.1:9/one' }))).toBe('webhook.url: not_allowed')
})

test('agents and persons cannot name a callback, and nobody can without a team', async () => {
  const team = await aTeamWithKey(services)
  const webhook = { url: 'http://127.0.0.1:9/' }
  const agent = { ...team.context, actor: actorOf(team.key, { door: 'mcp' }) }
  const person = { ...team.context, actor: { kind: 'person' as const, userId: team.user.id } }
  for (const own of [agent, person] as (typeof team.context)[])
    expect(await issueOf(openCallback(own, team.team.id, webhook))).toBe('webhook: not_allowed')
  const alone = await anAgent(services)
  expect(await issueOf(openCallback(context(), alone.user.id, webhook))).toBe('webhook: not_allowed')
  expect(await openCallback(context(), team.team.id, webhook)).toMatchObject({ url: webhook.url })
})

test('a host has one queue, also when many starts name it first, and no list of webhooks has it', async () => {
  const team = await aTeamWithKey(services)
  const urls = Array.from({ length: 12 }, (_, place) => `http://127.0.0.1:9/order/${place}?token=${place}`)
  await Promise.all(urls.map((url) => aStartWithCallback(team, { url })))
  expect(await origins(team)).toBe(1)
  expect(await countOf(`callbacks where team_id = $1 and url like 'http://127.0.0.1:9/order/%'`, team)).toBe(12)
  for (const withDeleted of [true, false])
    expect(await listSubscriptions(context(), { teamId: team.team.id, withDeleted }, { limit: 50, fromTheEnd: false })).toEqual([])
})

test('a team uses 100 new hosts in a day; a known host is never refused', async () => {
  const team = await aTeamWithKey(services)
  const urlOf = (port: number) => `http://127.0.0.1:${port}/`
  for (let port = 1; port <= 100; port += 1) await openCallback(team.context, team.team.id, { url: urlOf(port) })
  expect(await issueOf(aStartWithCallback(team, { url: urlOf(101) }))).toBe('webhook.url: too_big')
  await aStartWithCallback(team, { url: urlOf(100) })
  await clock.advance(86_401_000)
  await aStartWithCallback(team, { url: urlOf(101) })
  await clock.advance(31 * 86_400_000)
  await pruneCallbacks(context())
  // The two with a waiting callback stay.
  expect(await origins(team)).toBe(2)
})

test('a start with the same idempotency key and another callback is a conflict, and a repeat looks nothing up', async () => {
  const team = await aTeamWithKey(services)
  const start = (url: string, own = team.context) =>
    startGeneration(own, team.spender, { request: { familyId: 'sandbox-image', prompt: 'x', webhook: { url } }, idempotencyKey: 'once' })
  const first = await start('http://127.0.0.1:9/one')
  expect(await start('http://127.0.0.1:9/one', strict(team))).toMatchObject({ replayed: true, generation: first.generation })
  expect((await refused(start('http://127.0.0.1:9/two'))).code).toBe('idempotency_conflict')
  expect((await refused(start('http://10.0.0.1/'))).code).toBe('idempotency_conflict')
})
