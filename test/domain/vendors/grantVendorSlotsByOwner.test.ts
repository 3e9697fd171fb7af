import { afterAll, beforeEach, expect, test } from 'vitest'
import { grantVendorSlots } from '../../../src/domain/vendors/grantVendorSlots.ts'
import { aTeamWithKey, type TeamWithKey } from '../../support/factories.ts'
import { contendingJobs } from '../../support/vendor/contendingJobs.ts'
import { vendorServices } from '../../support/vendor/vendorRun.ts'

const own = await vendorServices({ settings: { vendorLoads: new Map([['vendor', { atOnce: 2 }]]) } })
afterAll(own.close)
const { clock, services } = own
const { ask, context, fail, made, holders, start } = await contendingJobs(own)

beforeEach(() => services.pool.query('truncate vendor_slots, waiting_submits, breakers'))

async function inLine(team: TeamWithKey, count: number): Promise<string[]> {
  const ids: string[] = []
  for (let n = 0; n < count; n++) {
    const id = await start('vendor-image', team)
    await clock.advance(1)
    await ask(id)
    ids.push(id)
  }
  return ids
}

const oldestHolder = 'select generation_id as id from vendor_slots where released_at is null order by vendor_slots.id limit 1'

/** Ends the work that has held its slot longest, `count` times, and returns the generations that get the slots. */
async function grantees(count: number): Promise<string[]> {
  const granted: string[] = []
  for (let n = 0; n < count; n++) {
    const before = await holders()
    await clock.advance(1_000)
    const { rows } = await services.pool.query<{ id: string }>(oldestHolder)
    await fail(rows[0]?.id ?? '')
    await grantVendorSlots(context, 'vendor')
    granted.push(...(await holders()).filter((id) => !before.includes(id)))
  }
  return granted
}

test('slots rotate between teams, oldest work of each team first, however many of one team wait', async () => {
  const many = await inLine(made, 12)
  const few = await inLine(await aTeamWithKey(services), 3)
  const granted = await grantees(7)
  expect(granted.filter((id) => few.includes(id))).toEqual(few)
  expect(granted.slice(0, 6).map((id) => few.includes(id))).toEqual([true, false, true, false, true, false])
  expect(granted.filter((id) => many.includes(id))).toEqual(many.slice(2, 6))
})

test('the team with fewer slots is next, whichever got the last one', async () => {
  const [first = '', second = ''] = await inLine(made, 4)
  const [other = ''] = await inLine(await aTeamWithKey(services), 2)
  await fail(first)
  await grantVendorSlots(context, 'vendor')
  expect(await holders()).toEqual([second, other].toSorted())
  await fail(other)
  await grantVendorSlots(context, 'vendor')
  expect((await holders()).filter((id) => id !== second)).not.toContain(other)
})

test('the owner of the last failed trial gets a slot after all others', async () => {
  await inLine(made, 2)
  const [yielding] = await inLine(made, 1)
  const [other] = await inLine(await aTeamWithKey(services), 1)
  await services.pool.query(`insert into breakers (subject, failed_by) values ('family:vendor-image', md5($1))`, [made.team.id])
  expect(await grantees(2)).toEqual([other, yielding])
  await services.pool.query(`update breakers set failed_by = null`)
})

test('within a team the queue is in database time order, not in identifier order', async () => {
  const [a, b, c, d] = [await start(), await start(), await start(), await start()]
  for (const id of [a, b, d]) {
    await ask(id)
    await clock.advance(1_000)
  }
  await ask(c)
  expect(await grantees(2)).toEqual([d, c])
})

test('20,000 waiting generations of one team do not slow down the grant to another', async () => {
  await inLine(made, 2)
  await services.pool.query(
    `insert into waiting_submits (generation_id, provider, family_id, owner_id, since)
       select 'gen_0' || to_char(n, 'FM00000'), 'vendor', 'vendor-image', $1, present() from generate_series(1, 20000) n`,
    [made.team.id],
  )
  await services.pool.query('analyze waiting_submits')
  const [next] = await inLine(await aTeamWithKey(services), 1)
  const { rows } = await services.pool.query<{ plan: { 'Execution Time': number; Plan: object }[] }>(
    `explain (analyze, buffers, format json) select generation_id from next_waiting_submit('vendor', 'vendor-image')`,
  )
  const [{ 'QUERY PLAN': plan }] = rows as unknown as [{ 'QUERY PLAN': [{ Plan: { 'Shared Hit Blocks': number } }] }]
  expect(plan[0].Plan['Shared Hit Blocks']).toBeLessThan(300)
  expect(await grantees(1)).toEqual([next])
})
