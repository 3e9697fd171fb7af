import { afterAll, expect, test, vi } from 'vitest'
import { recordMissedCallbacks } from '../../../../src/domain/generations/ending/recordMissedCallbacks.ts'
import { aServiceContext, aTeamWithKey } from '../../../support/factories.ts'
import { testServices } from '../../../support/services.ts'
import { aStartWithCallback, callbackLogOf, failAtOnce } from '../../../support/webhooks/callbacks.ts'
import { aSubscription, loopback } from '../../../support/webhooks/webhooks.ts'

const { services, close } = await testServices({ settings: loopback })
afterAll(close)
const context = () => aServiceContext(services)
const url = 'http://127.0.0.1:9/'

/** As a process of the previous release does it, which knows no callbacks. */
async function endByPreviousRelease(id: string): Promise<void> {
  await services.pool.query(
    `select end_generation($1, '{queued}', 'failed', null, false, null, '{"code":"timeout","reason":"model_timeout"}')`,
    [id],
  )
}

test('a callback whose generation the previous release ended is recorded once, also by two processes at once', async () => {
  const team = await aTeamWithKey(services)
  await aSubscription(services, team, 'http://127.0.0.1:9/hook')
  const [ended, open] = [await aStartWithCallback(team, { url }), await aStartWithCallback(team, { url })]
  await endByPreviousRelease(ended)
  await Promise.all([recordMissedCallbacks(context()), recordMissedCallbacks(context())])
  await recordMissedCallbacks(context())
  const log = await callbackLogOf(services, team)
  expect(log.map(({ event, subscriptionId, eventNumber }) => [event, subscriptionId, eventNumber])).toEqual([
    ['generation.failed', null, 1],
  ])
  await failAtOnce(services, open)
  expect(await callbackLogOf(services, team)).toHaveLength(2)
})

test('a host whose queue was pruned gets a new one', async () => {
  const team = await aTeamWithKey(services)
  const id = await aStartWithCallback(team, { url })
  await services.pool.query(`delete from webhook_subscriptions where team_id = $1 and address <> ''`, [team.team.id])
  await failAtOnce(services, id)
  expect(await callbackLogOf(services, team)).toEqual([])
  expect(await recordMissedCallbacks(context())).toBe(1)
  expect(await callbackLogOf(services, team)).toHaveLength(1)
})

test('a deletion of the team that runs at the same time does not deadlock', async () => {
  const team = await aTeamWithKey(services)
  const id = await aStartWithCallback(team, { url })
  await services.pool.query(`delete from webhook_subscriptions where team_id = $1 and address <> ''`, [team.team.id])
  await endByPreviousRelease(id)
  const deletion = await services.pool.connect()
  try {
    await deletion.query('begin')
    await deletion.query('select from teams where id = $1 for no key update', [team.team.id])
    const recorded = recordMissedCallbacks(context())
    const waiting = "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'"
    await vi.waitFor(async () => expect((await services.pool.query(waiting)).rowCount).toBe(1), { timeout: 10_000, interval: 5 })
    await deletion.query('update teams set deleted_at = present() where id = $1', [team.team.id])
    await deletion.query('delete from callbacks where team_id = $1 and delivery_id is null', [team.team.id])
    await deletion.query('commit')
    await recorded
  } finally {
    deletion.release()
  }
  expect(await callbackLogOf(services, team)).toEqual([])
})

test('a callback that cannot be recorded does not stop the others', async () => {
  const team = await aTeamWithKey(services)
  const [broken, sound] = [await aStartWithCallback(team, { url }), await aStartWithCallback(team, { url: 'http://127.0.0.1:10/' })]
  for (const id of [broken, sound]) await endByPreviousRelease(id)
  await services.pool.query(`update callbacks set url = 'nothing', subscription_id = 'hook_x' where generation_id = $1`, [broken])
  await expect(recordMissedCallbacks(context())).rejects.toThrow('could not be recorded')
  expect(await callbackLogOf(services, team)).toHaveLength(1)
})
