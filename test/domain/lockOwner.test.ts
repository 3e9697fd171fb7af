import { afterAll, expect, test } from 'vitest'
import { issueKey } from '../../src/domain/access/keys/issueKey.ts'
import { createSubscription } from '../../src/domain/webhooks/subscriptions/createSubscription.ts'
import { aServiceContext, aTeamWithKey } from '../support/factories.ts'
import { testServices } from '../support/services.ts'
import { loopback } from '../support/webhooks/webhooks.ts'

const { services, close } = await testServices({ settings: loopback })
afterAll(close)
const tool = aServiceContext(services)

test.for([
  ['a key', 'api_keys', (teamId: string, userId: string) => issueKey(tool, { teamId, userId, name: 'late', scopes: ['account:read'] })],
  [
    'a webhook',
    'webhook_subscriptions',
    (teamId: string) => createSubscription(tool, { teamId, address: 'http://127.0.0.1:9/late', events: ['generation.completed'] }),
  ],
] as const)('creating %s during the deletion of its team is refused and leaves no row', async ([_what, table, make]) => {
  const { team, user } = await aTeamWithKey(services)
  const deleting = await services.pool.connect()
  await deleting.query('begin')
  await deleting.query('update teams set deleted_at = present() where id = $1', [team.id])
  const count = async () => (await services.pool.query(`select from ${table} where team_id = $1`, [team.id])).rowCount
  const before = await count()
  const made = make(team.id, user.id).then(
    () => 'made',
    ({ code }) => code,
  )
  const waiting = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
  let isOver = false
  void made.then(() => {
    isOver = true
  })
  await expect.poll(async () => isOver || (await services.pool.query(waiting)).rowCount === 1, { timeout: 20_000 }).toBe(true)
  await deleting.query('commit')
  deleting.release()
  expect(await made).toBe('invalid_request')
  expect(await count()).toBe(before)
})
