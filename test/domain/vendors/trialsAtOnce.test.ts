import { afterAll, expect, test } from 'vitest'
import { claimTrial, endTrial } from '../../../src/domain/vendors/trials.ts'
import { aServiceContext } from '../../support/factories.ts'
import { vendorServices } from '../../support/vendor/vendorRun.ts'

const own = await vendorServices()
afterAll(own.close)
const { services } = own
const context = aServiceContext(services)

test('the end of a trial and the next trial lock breakers in the same order', async () => {
  const subjects = ['family:vendor-image', 'vendor:vendor'] as const
  await services.pool.query(
    `insert into breakers (subject, locked_until, trial_by, trial_until)
       select subject, present(), 'gen_first', present() from unnest(array['vendor:vendor', 'family:vendor-image']) subject`,
  )
  const third = await services.pool.connect()
  await third.query('begin')
  await third.query('select from breakers where subject = $1 for update', [subjects[0]])
  const claimed = claimTrial(context, subjects, { generationId: 'gen_second', ownerId: 'team_second' })
  await expect.poll(waiting, { interval: 5 }).toBe(1)
  const ended = endTrial(context, 'gen_first')
  await expect.poll(waiting, { interval: 5 }).toBe(2)
  await third.query('commit')
  third.release()
  expect(await Promise.allSettled([claimed, ended])).toEqual([
    { status: 'fulfilled', value: true },
    { status: 'fulfilled', value: undefined },
  ])
})

async function waiting(): Promise<number> {
  const { rows } = await services.pool.query(
    `select count(*)::integer as count from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
  )
  return rows[0].count
}
