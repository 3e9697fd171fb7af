import { afterAll, expect, onTestFinished, test, vi } from 'vitest'
import { makeSharedSlots } from '../../../src/concurrency/sharedSlots.ts'
import { makeRemovedJobs } from '../../../src/database/queue/removedJobs.ts'
import { startMaintenance } from '../../../src/jobs/maintenance/maintenance.ts'
import { openSubmits } from '../../../src/jobs/steps/openSubmits.ts'
import { makeRegistry } from '../../../src/providers/registry.ts'
import { aTeamWithKey } from '../../support/factories.ts'
import { testServices } from '../../support/services.ts'

const { services, close } = await testServices({ clock: 'database' })
afterAll(close)
const { pool } = services

test('a worker deletes expired deliveries at once, in batches, and keeps younger ones', async () => {
  const { team } = await aTeamWithKey(services)
  await pool.query(
    `insert into webhook_subscriptions (id, team_id, address, events, secret, created_at) values ('hook_a', $1, 'https://x.test', '{generation.completed}', '\\x00', now())`,
    [team.id],
  )
  await pool.query(
    `insert into webhook_deliveries (id, subscription_id, event_number, event, body, created_at, state)
       select 'evt_0' || lpad(number::text, 25, '0'), 'hook_a', number, 'generation.completed', '\\x00', now() - number * interval '1 minute', 'delivered'
       from generate_series(43000, 48199) as number`,
  )
  await pool.query(
    `insert into webhook_attempts (delivery_id, number, begun_at, took_seconds) select id, 1, created_at, 0.1 from webhook_deliveries`,
  )
  const jobs = {
    services,
    providers: makeRegistry([]),
    shutdown: new AbortController().signal,
    openSubmits: openSubmits('proc_a'),
    removedJobs: makeRemovedJobs(),
  }
  const maintenance = startMaintenance(jobs, { slots: makeSharedSlots(8), processId: 'proc_a' })
  onTestFinished(async () => {
    maintenance.stop()
    await maintenance.close()
  })
  const counts = async () =>
    (
      await pool.query(`select count(*)::integer as left, count(*) filter (where created_at < now() - interval '31 days')::integer as old,
      (select count(*)::integer from webhook_attempts) as attempts from webhook_deliveries`)
    ).rows[0]
  await vi.waitFor(async () => expect((await counts()).old).toBe(0), { timeout: 30_000, interval: 50 })
  await vi.waitFor(async () => expect(await counts()).toMatchObject({ left: expect.closeTo(200, -1), attempts: expect.closeTo(200, -1) }), {
    timeout: 30_000,
  })
})
