import type { PoolClient } from 'pg'
import { afterAll, expect, test } from 'vitest'
import { closeOrphanedDeliveries } from '../../../../src/domain/webhooks/subscriptions/deleteSubscription.ts'
import { duringTransaction } from '../../../support/database/duringTransaction.ts'
import { aServiceContext, aTeamWithKey } from '../../../support/factories.ts'
import { testServices } from '../../../support/services.ts'
import { anEnding, aSubscription, loopback } from '../../../support/webhooks/webhooks.ts'

const { services, close } = await testServices({ settings: loopback })
afterAll(close)
const tool = aServiceContext(services)
const { pool } = services

/** An auto-paused webhook with two open deliveries, as from before its pause. */
async function aPausedWebhook(): Promise<string> {
  const team = await aTeamWithKey(services)
  const { id } = (await aSubscription(services, team, 'http://127.0.0.1:9/dead')).subscription
  await anEnding(team)
  await anEnding(team)
  await pool.query('update webhook_subscriptions set auto_paused_at = present() where id = $1', [id])
  return id
}

async function statesOf(id: string): Promise<string[]> {
  const { rows } = await pool.query<{ state: string }>('select state from webhook_deliveries where subscription_id = $1 order by id', [id])
  return rows.map(({ state }) => state)
}

/** Closes orphaned deliveries, with a snapshot from before `change` is committed. */
const closedDuring = (change: (client: PoolClient) => Promise<unknown>) =>
  duringTransaction(pool, change, () => closeOrphanedDeliveries(tool))

const resume = 'update webhook_subscriptions set auto_paused_at = null, resumed_at = present() where id = $1'
const closeOne = `update webhook_deliveries set state = 'failed', next_attempt_at = null, retries_left = null
  where id = (select max(id) from webhook_deliveries where subscription_id = $1)`
const reopen = `select reopen_webhook_deliveries(array(select id from webhook_deliveries where subscription_id = $1), array['failed'], 6)`

test('open deliveries of a webhook that is being resumed stay open', async () => {
  const id = await aPausedWebhook()
  expect(await closedDuring((client) => client.query(resume, [id]))).toBe(0)
  expect(await statesOf(id)).toEqual(['pending', 'pending'])
})

test('a delivery that was closed and is sent again after a resume stays open', async () => {
  const id = await aPausedWebhook()
  const closed = await closedDuring(async (client) => {
    for (const statement of [closeOne, resume, reopen]) await client.query(statement, [id])
  })
  expect(closed).toBe(0)
  expect(await statesOf(id)).toEqual(['pending', 'pending'])
})

test('a delivery whose attempt is beginning at the pause stays open for the report of its attempt', async () => {
  const id = await aPausedWebhook()
  await pool.query(resume, [id])
  const closed = await closedDuring(async (client) => {
    await client.query(`select begin_webhook_attempts(array(select max(id) from webhook_deliveries where subscription_id = $1), 'cut')`, [
      id,
    ])
    await pool.query('update webhook_subscriptions set auto_paused_at = present() where id = $1', [id])
  })
  expect(closed).toBe(1)
  expect(await statesOf(id)).toEqual(['failed', 'pending'])
})

test('deliveries of a webhook that is being deleted are closed as those of a deleted one, and others stay open', async () => {
  const id = await aPausedWebhook()
  const other = await aPausedWebhook()
  const deleted = 'update webhook_subscriptions set deleted_at = present(), secret = null where id = $1'
  await pool.query(resume, [other])
  expect(await closedDuring((client) => client.query(deleted, [id]))).toBe(2)
  expect([await statesOf(id), await statesOf(other)]).toEqual([
    ['failed', 'failed'],
    ['pending', 'pending'],
  ])
  const { rows } = await pool.query('select distinct refusal from webhook_deliveries where subscription_id = $1', [id])
  expect(rows).toEqual([{ refusal: 'the subscription was deleted first' }])
})
