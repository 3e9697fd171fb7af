import { afterAll, beforeEach, expect, test } from 'vitest'
import { type Context, transaction } from '../../../../src/domain/context.ts'
import { listTeamAlerts } from '../../../../src/domain/webhooks/alerts/listTeamAlerts.ts'
import { raiseAlerts } from '../../../../src/domain/webhooks/alerts/raiseAlerts.ts'
import { beginAttempts } from '../../../../src/domain/webhooks/sending/beginAttempts.ts'
import { dueDeliveries } from '../../../../src/domain/webhooks/sending/dueDeliveries.ts'
import { endAttempts } from '../../../../src/domain/webhooks/sending/endAttempts.ts'
import { deleteSubscription } from '../../../../src/domain/webhooks/subscriptions/deleteSubscription.ts'
import { findFailingWebhooks } from '../../../../src/domain/webhooks/subscriptions/findFailingWebhooks.ts'
import { pauseFailingSubscriptions } from '../../../../src/domain/webhooks/subscriptions/pauseFailingSubscriptions.ts'
import { updateSubscription } from '../../../../src/domain/webhooks/subscriptions/updateSubscription.ts'
import { alertsOf, anAlertSubscription } from '../../../support/alerts/alerts.ts'
import { aServiceContext, aTeamWithKey, type TeamWithKey } from '../../../support/factories.ts'
import { testServices } from '../../../support/services.ts'
import { attemptHours } from '../../../support/webhooks/attemptHours.ts'
import { anEnding, aSubscription, loopback } from '../../../support/webhooks/webhooks.ts'

const { services, clock, close } = await testServices({ settings: loopback })
afterAll(close)
const tool = aServiceContext(services)
const { pool } = services
const installedAt = (at: Date | string) => pool.query(`update routines set added_at = $1 where name = 'pauseFailing'`, [at])
const now = new Date('2026-03-10T12:30:00.000Z')
const hourMs = 3_600_000
const { failed, delivered } = attemptHours(services, () => clock.now())

let team: TeamWithKey
let id: string
let healthy: string
beforeEach(async () => {
  await clock.set(now)
  await pool.query('delete from webhook_subscriptions')
  await installedAt('2026-01-01')
  services.settings.webhookAutoPauseDays = 5
  team = await aTeamWithKey(services)
  id = (await aSubscription(services, team, 'http://127.0.0.1:9/dead')).subscription.id
  healthy = (await aSubscription(services, await aTeamWithKey(services), 'http://127.0.0.1:9/healthy')).subscription.id
})

/** Every attempt of the last `hours` hours failed, while another receiver accepted. */
async function failedFor(hours: number): Promise<void> {
  await failed(id, { fromHoursAgo: hours })
  await delivered(healthy, { fromHoursAgo: hours })
}

const pausedAt = async () =>
  (await pool.query<{ at: Date | null }>('select auto_paused_at as at from webhook_subscriptions where id = $1', [id])).rows[0]?.at ?? null

const audits = async () =>
  (
    await pool.query(
      `select actor_kind, before, after from audit_entries where subject_id = $1 and action = 'webhook.updated' order by id`,
      [id],
    )
  ).rows

async function paused(): Promise<void> {
  await failedFor(130)
  expect(await pauseFailingSubscriptions(tool)).toBe(1)
}

test('a webhook is paused when every attempt failed for five days, not before, and the audit log has it once', async () => {
  await failedFor(120)
  expect(await pauseFailingSubscriptions(tool)).toBe(0)
  await clock.advance(hourMs)
  await failed(id, { fromHoursAgo: 0 })
  await delivered(healthy, { fromHoursAgo: 0 })
  const counts = await Promise.all([pauseFailingSubscriptions(tool), pauseFailingSubscriptions(tool)])
  expect(counts.toSorted((left, right) => left - right)).toEqual([0, 1])
  expect(await pausedAt()).toEqual(clock.now())
  expect(await audits()).toEqual([
    { actor_kind: 'service', before: { paused: false }, after: { paused: true, reason: 'failing', days: 5 } },
  ])
})

test('a webhook with a success in between, few attempts, or failures on few days is not paused', async () => {
  await failedFor(200)
  await delivered(id, { fromHoursAgo: 100, toHoursAgo: 100, outcome: 'failed' })
  expect(await pauseFailingSubscriptions(tool)).toBe(0)
  await pool.query('delete from webhook_hours where subscription_id = $1', [id])
  await failed(id, { fromHoursAgo: 200, toHoursAgo: 100, attempts: 1, everyHours: 24 })
  await failed(id, { fromHoursAgo: 0, attempts: 1 })
  expect(await pauseFailingSubscriptions(tool)).toBe(0)
  await pool.query('delete from webhook_hours where subscription_id = $1', [id])
  await failed(id, { fromHoursAgo: 200, toHoursAgo: 198 })
  await failed(id, { fromHoursAgo: 3 })
  expect(await pauseFailingSubscriptions(tool)).toBe(0)
})

test('hours in which no receiver of the deployment accepted a delivery do not count', async () => {
  await failed(id, { fromHoursAgo: 200 })
  expect(await pauseFailingSubscriptions(tool)).toBe(0)
  await delivered(healthy, { fromHoursAgo: 200, toHoursAgo: 2 })
  expect(await pauseFailingSubscriptions(tool)).toBe(0)
  await pool.query('delete from webhook_hours where subscription_id = $1', [healthy])
  await delivered(healthy, { fromHoursAgo: 48 })
  expect(await pauseFailingSubscriptions(tool)).toBe(0)
})

test('a webhook that a person paused or deleted is not auto-paused, and no webhook with 0 days', async () => {
  await failedFor(200)
  services.settings.webhookAutoPauseDays = 0
  expect(await pauseFailingSubscriptions(tool)).toBe(0)
  services.settings.webhookAutoPauseDays = 5
  await updateSubscription(tool, { id, paused: true })
  expect(await pauseFailingSubscriptions(tool)).toBe(0)
  await updateSubscription(tool, { id, paused: false })
  await pool.query('update webhook_subscriptions set resumed_at = null')
  await deleteSubscription(tool, id)
  expect(await pauseFailingSubscriptions(tool)).toBe(0)
  expect(await pausedAt()).toBeNull()
})

test('failures before this release was installed do not count', async () => {
  await installedAt(new Date(now.getTime() - 100 * hourMs))
  await failedFor(200)
  expect(await pauseFailingSubscriptions(tool)).toBe(0)
})

test('a pause by a person does not replace an auto-pause, which records events', async () => {
  await paused()
  await updateSubscription(tool, { id, paused: true, events: ['generation.failed'] })
  expect((await pool.query('select paused, events from webhook_subscriptions where id = $1', [id])).rows).toEqual([
    { paused: false, events: ['generation.failed'] },
  ])
  expect(await pausedAt()).toEqual(now)
})

test('a resumed webhook that fails again is paused after another five days', async () => {
  await paused()
  await updateSubscription(tool, { id, paused: false })
  expect(await pausedAt()).toBeNull()
  expect((await audits()).at(-1)).toMatchObject({ before: { paused: true }, after: { paused: false } })
  await clock.advance(120 * hourMs)
  await failedFor(119)
  expect(await pauseFailingSubscriptions(tool)).toBe(0)
  await clock.advance(2 * hourMs)
  await failedFor(1)
  expect(await pauseFailingSubscriptions(tool)).toBe(1)
})

test('a webhook whose success is being recorded at the same time is not paused', async () => {
  await anEnding(team)
  const [deliveryId = ''] = (await dueDeliveries(tool, [id], []))[0]?.due ?? []
  await failedFor(130)
  await beginAttempts(tool, [deliveryId])
  let pausing: Promise<number> | undefined
  await transaction(tool, async (inside) => {
    await accept(inside, deliveryId)
    pausing = pauseFailingSubscriptions(tool)
    await lockWait()
  })
  expect(await pausing).toBe(0)
  expect(await pausedAt()).toBeNull()
})

test('a success of an attempt that was running at the pause ends it and sends its events, but none of an earlier pause', async () => {
  await anEnding(team)
  const [deliveryId = ''] = (await dueDeliveries(tool, [id], []))[0]?.due ?? []
  await beginAttempts(tool, [deliveryId])
  await paused()
  await anEnding(team)
  await anEnding(team)
  const before = `update webhook_deliveries set created_at = now() - interval '1 year' where id =
    (select max(id) from webhook_deliveries where subscription_id = $1 and state = 'failed')`
  await pool.query(before, [id])
  await accept(tool, deliveryId)
  expect(await pauseFailingSubscriptions(tool)).toBe(0)
  expect(await pausedAt()).toBeNull()
  expect((await dueDeliveries(tool, [id], []))[0]?.due).toHaveLength(1)
})

test('the pause alerts once, in the list of the team and to a receiver of alerts, and is listed while it lasts', async () => {
  const { subscription } = await anAlertSubscription(services, team, 'http://127.0.0.1:9/alerts', ['webhook.failing'])
  await anEnding(team)
  await pool.query(`update webhook_deliveries set state = 'failed', retries_left = null, next_attempt_at = null, attempts = 7`)
  await paused()
  for (const days of [0, 1, 2]) {
    await clock.set(new Date(now.getTime() + days * 24 * hourMs))
    await raiseAlerts(tool)
    await raiseAlerts(tool)
  }
  expect((await findFailingWebhooks(tool, team.team.id)).map((webhook) => webhook.id)).toEqual([id])
  expect(await listTeamAlerts(tool, team.team.id, 50)).toMatchObject([{ kind: 'webhook.failing', subjectId: id, autoPausedAt: now }])
  expect((await alertsOf(services, subscription.id)).map(({ data }) => data)).toEqual([
    {
      teamId: team.team.id,
      subscriptionId: id,
      deliveryId: expect.stringMatching(/^evt_/),
      attempts: 7,
      responseCode: null,
      autoPausedAt: now.toISOString(),
    },
  ])
})

async function accept(inside: Context, deliveryId: string): Promise<void> {
  await endAttempts(inside, [{ deliveryId, number: 1, tookSeconds: 1, responseCode: 200, start: null, outcome: 'delivered' }])
}

/** Waits until a statement waits for a lock. */
async function lockWait(): Promise<void> {
  const waiting = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
  await expect.poll(async () => (await pool.query(waiting)).rowCount, { interval: 10, timeout: 10_000 }).toBe(1)
}
