import { afterAll, beforeEach, expect, test, vi } from 'vitest'
import { issueKey } from '../../../../src/domain/access/keys/issueKey.ts'
import { revokeKey } from '../../../../src/domain/access/keys/revokeKey.ts'
import { updateKey } from '../../../../src/domain/access/keys/updateKey.ts'
import { updateTeam } from '../../../../src/domain/access/teams/teams.ts'
import { grantCredits } from '../../../../src/domain/credits/grantCredits.ts'
import { raiseAlerts } from '../../../../src/domain/webhooks/alerts/raiseAlerts.ts'
import { alertsOf, anAlertSubscription } from '../../../support/alerts/alerts.ts'
import { aServiceContext, aTeamWithKey } from '../../../support/factories.ts'
import { testServices } from '../../../support/services.ts'
import { deliveryRun, soon } from '../../../support/webhooks/deliveryRun.ts'
import { aReceiver } from '../../../support/webhooks/receiver.ts'
import { anEnding, aSubscription, loopback } from '../../../support/webhooks/webhooks.ts'

const { services, clock, close } = await testServices({ settings: loopback })
afterAll(close)
const tool = aServiceContext(services)
const { delivering } = deliveryRun(services)
const nowhere = 'http://127.0.0.1:9/alerts'
const start = new Date('2026-03-10T12:00:00.000Z')
const inDays = (days: number) => new Date(start.getTime() + days * 86_400_000)
beforeEach(() => clock.set(start))

test('a balance below the threshold alerts once a day, and not again after a grant', async () => {
  const team = await aTeamWithKey(services, { credits: 10 })
  const { subscription } = await anAlertSubscription(services, team, nowhere)
  const alerts = () => alertsOf(services, subscription.id)
  await raiseAlerts(tool)
  await updateTeam(tool, { id: team.team.id, lowCreditsThreshold: 10 })
  await raiseAlerts(tool)
  expect(await alerts()).toEqual([])
  await anEnding(team, 'ready')
  await raiseAlerts(tool)
  await raiseAlerts(tool)
  expect(await alerts()).toEqual([
    {
      id: expect.stringMatching(/^evt_/),
      event: 'credits.low',
      createdAt: start.toISOString(),
      data: { teamId: team.team.id, creditsAvailable: 9, creditsHeld: 0, lowCreditsThreshold: 10 },
    },
  ])
  await clock.set(inDays(1))
  await raiseAlerts(tool)
  expect(await alerts()).toHaveLength(2)
  await grantCredits(tool, { teamId: team.team.id, credits: 1, note: 'top-up', idempotencyKey: 'top-up' })
  await clock.set(inDays(2))
  await raiseAlerts(tool)
  expect(await alerts()).toHaveLength(2)
})

test('a key alerts at 80 % and at 100 % of its ceiling, and held credits count', async () => {
  const team = await aTeamWithKey(services, { dailyLimitCredits: 5, monthlyLimitCredits: 100 })
  const { subscription } = await anAlertSubscription(services, team, nowhere)
  const reached = async () => (await alertsOf(services, subscription.id)).map(({ data }) => [data['limitKind'], data['percent']])
  for (let count = 0; count < 3; count += 1) await anEnding(team, 'ready')
  await raiseAlerts(tool)
  expect(await reached()).toEqual([])
  await anEnding(team, 'ready', { before: () => raiseAlerts(tool) })
  await raiseAlerts(tool)
  expect(await reached()).toEqual([['daily', 80]])
  await anEnding(team, 'ready')
  await raiseAlerts(tool)
  await raiseAlerts(tool)
  expect(await reached()).toEqual([
    ['daily', 80],
    ['daily', 100],
  ])
  const [first, last] = await alertsOf(services, subscription.id)
  const { keyId, name } = { keyId: team.key.id, name: 'test key' }
  const resetsAt = '2026-03-11T00:00:00.000Z'
  const ceiling = { teamId: team.team.id, keyId, name, limitKind: 'daily', limitCredits: 5, resetsAt }
  expect(first).toMatchObject({ event: 'key.near_ceiling', data: { ...ceiling, percent: 80, spentCredits: 3, heldCredits: 1 } })
  expect(last?.data).toEqual({ ...ceiling, percent: 100, spentCredits: 5, heldCredits: 0 })
})

test('a monthly ceiling alerts only on days on which the key is used', async () => {
  const team = await aTeamWithKey(services, { monthlyLimitCredits: 1 })
  const { subscription } = await anAlertSubscription(services, team, nowhere, ['key.near_ceiling'])
  await anEnding(team, 'ready')
  await raiseAlerts(tool)
  await clock.set(inDays(1))
  await raiseAlerts(tool)
  expect(await alertsOf(services, subscription.id)).toMatchObject([
    { data: { limitKind: 'monthly', percent: 100, limitCredits: 1, resetsAt: '2026-04-01T00:00:00.000Z' } },
  ])
})

test('a key and a plan alert once 7 days and once 1 day before their end, and again for another end', async () => {
  const team = await aTeamWithKey(services)
  const { subscription } = await anAlertSubscription(services, team, nowhere, ['key.expiring', 'plan.expiring'])
  const alerts = () => alertsOf(services, subscription.id)
  const { apiKey } = await issueKey(tool, {
    teamId: team.team.id,
    userId: team.user.id,
    name: 'ends',
    scopes: ['mcp'],
    expiresAt: inDays(8),
  })
  const revoked = await issueKey(tool, { teamId: team.team.id, userId: team.user.id, name: 'no', scopes: ['mcp'], expiresAt: inDays(3) })
  await revokeKey(tool, revoked.apiKey.id)
  await updateTeam(tool, { id: team.team.id, planExpiresAt: inDays(8) })
  for (let hours = 0; hours <= 9 * 24; hours += 8) {
    await clock.set(new Date(start.getTime() + hours * 3_600_000))
    await raiseAlerts(tool)
  }
  const plan = { teamId: team.team.id, planExpiresAt: inDays(8).toISOString() }
  const key = { teamId: team.team.id, keyId: apiKey.id, name: 'ends', expiresAt: inDays(8).toISOString() }
  expect((await alerts()).map(({ event, createdAt, data }) => ({ event, createdAt, data }))).toEqual([
    { event: 'key.expiring', createdAt: inDays(1).toISOString(), data: { ...key, days: 7 } },
    { event: 'plan.expiring', createdAt: inDays(1).toISOString(), data: { ...plan, days: 7 } },
    { event: 'key.expiring', createdAt: inDays(7).toISOString(), data: { ...key, days: 1 } },
    { event: 'plan.expiring', createdAt: inDays(7).toISOString(), data: { ...plan, days: 1 } },
  ])
  await clock.set(inDays(7))
  await updateKey(tool, { id: apiKey.id, expiresAt: inDays(13) })
  await raiseAlerts(tool)
  expect((await alerts()).at(-1)?.data).toEqual({ ...key, expiresAt: inDays(13).toISOString(), days: 7 })
})

test('an alert about a webhook that fails, or was paused for it, has its newest failed delivery', async () => {
  const team = await aTeamWithKey(services)
  const { id } = (await aSubscription(services, team, nowhere)).subscription
  const { subscription } = await anAlertSubscription(services, team, nowhere, ['webhook.failing'])
  await anEnding(team, 'ready')
  await clock.advance(60_000)
  await anEnding(team, 'cancelled')
  await clock.advance(60_000)
  await anEnding(team, 'failed')
  const aged = `update webhook_deliveries set state = 'failed', retries_left = null, next_attempt_at = null, attempts = event_number
    where subscription_id = $1`
  await services.pool.query(aged, [id])
  const attempted = `insert into webhook_attempts (delivery_id, number, begun_at, took_seconds)
    select id, attempts, present(), 1 from webhook_deliveries where subscription_id = $1`
  await services.pool.query(attempted, [id])
  await services.pool.query('update webhook_subscriptions set last_delivery_day = utc_day(present()) where id = $1', [id])
  await raiseAlerts(tool)
  await services.pool.query('update webhook_subscriptions set auto_paused_at = present() where id = $1', [id])
  await raiseAlerts(tool)
  const alerts = (await alertsOf(services, subscription.id)).map(({ data }) => [data['attempts'], 'autoPausedAt' in data])
  expect(alerts).toEqual([
    [3, false],
    [3, true],
  ])
})

test('a webhook with a delivery that failed for good alerts once; the webhook gets no alert, and alerts get no event', async () => {
  const team = await aTeamWithKey(services)
  const broken = await aReceiver((response) => response.writeHead(500).end())
  const receiver = await aReceiver()
  const hook = await aSubscription(services, team, broken.address)
  const { subscription } = await anAlertSubscription(services, team, receiver.address)
  await delivering()
  await anEnding(team, 'ready')
  const lastState = async () =>
    (await services.pool.query('select state from webhook_deliveries where subscription_id = $1', [hook.subscription.id])).rows
  await vi.waitFor(async () => expect(await lastState()).toEqual([{ state: 'failed' }]), soon)
  await raiseAlerts(tool)
  await raiseAlerts(tool)
  await vi.waitFor(() => expect(receiver.received).toHaveLength(1), soon)
  expect(JSON.parse(String(receiver.received[0]?.body))).toMatchObject({
    event: 'webhook.failing',
    data: { teamId: team.team.id, subscriptionId: hook.subscription.id, deliveryId: broken.ids()[0], attempts: 7, responseCode: 500 },
  })
  expect(await alertsOf(services, subscription.id)).toHaveLength(1)
  expect(new Set(broken.received.map(({ body }) => JSON.parse(String(body)).event))).toEqual(new Set(['generation.completed']))
})
