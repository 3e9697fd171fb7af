import { afterAll, beforeEach, expect, test } from 'vitest'
import { autoPausedWords } from '../../../../src/domain/webhooks/subscriptions/autoPausedWords.ts'
import { pauseFailingSubscriptions } from '../../../../src/domain/webhooks/subscriptions/pauseFailingSubscriptions.ts'
import { duringTransaction } from '../../../support/database/duringTransaction.ts'
import { aServiceContext, aTeamWithKey } from '../../../support/factories.ts'
import { testServices } from '../../../support/services.ts'
import { attemptHours } from '../../../support/webhooks/attemptHours.ts'
import { deliveryRun } from '../../../support/webhooks/deliveryRun.ts'
import { aSubscription, loopback } from '../../../support/webhooks/webhooks.ts'

const { services, clock, close } = await testServices({ settings: loopback })
afterAll(close)
const { pool } = services
const tool = aServiceContext(services)
const { failed, delivered } = attemptHours(services, () => clock.now())
const { recordMany } = deliveryRun(services)
await pool.query(`update routines set added_at = '-infinity' where name = 'pauseFailing'`)

let id: string
beforeEach(async () => {
  id = (await aSubscription(services, await aTeamWithKey(services), 'http://127.0.0.1:9/dead')).subscription.id
})

/** Auto-pauses it, with `events` since, and records a success of an attempt that was running at the pause. */
async function acceptedSincePause(events: number): Promise<void> {
  await pool.query('update webhook_subscriptions set auto_paused_at = present() where id = $1', [id])
  await recordMany(id, events)
  await delivered(id, { fromHoursAgo: 0 })
}

async function countsByState(): Promise<Record<string, number>> {
  const counted = 'select state, count(*)::integer as count from webhook_deliveries where subscription_id = $1 group by state'
  const { rows } = await pool.query<{ state: string; count: number }>(counted, [id])
  return Object.fromEntries(rows.map(({ state, count }) => [state, count]))
}

test('a webhook that another process paused and a person resumed meanwhile is not paused again', async () => {
  const healthy = (await aSubscription(services, await aTeamWithKey(services), 'http://127.0.0.1:9/healthy')).subscription.id
  await failed(id, { fromHoursAgo: 130 })
  await delivered(healthy, { fromHoursAgo: 130 })
  const resume = 'update webhook_subscriptions set auto_paused_at = null, resumed_at = present() where id = $1'
  const paused = await duringTransaction(
    pool,
    (client) => client.query(resume, [id]),
    () => pauseFailingSubscriptions(tool),
  )
  expect(paused).toBe(0)
})

test('a resume after a success sends all events since the pause, also thousands', async () => {
  await acceptedSincePause(4_500)
  await pauseFailingSubscriptions(tool)
  expect(await countsByState()).toEqual({ pending: 4_500 })
})

test('an event that is recorded while the service resumes a webhook is sent too', async () => {
  await acceptedSincePause(2)
  const late = 'update webhook_deliveries set refusal = $2 where subscription_id = $1 and event_number = 2'
  await pool.query(late, [id, null])
  await duringTransaction(
    pool,
    async (client) => {
      await client.query('select from webhook_subscriptions where id = $1 for no key update', [id])
      await client.query(late, [id, autoPausedWords])
    },
    () => pauseFailingSubscriptions(tool),
  )
  expect(await countsByState()).toEqual({ pending: 2 })
})
