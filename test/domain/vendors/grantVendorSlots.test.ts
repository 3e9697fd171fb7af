import { afterAll, beforeEach, expect, test, vi } from 'vitest'
import { contextFor, transaction } from '../../../src/domain/context.ts'
import { cancelGeneration } from '../../../src/domain/generations/ending/cancelGeneration.ts'
import { findGeneration } from '../../../src/domain/generations/reading/readGeneration.ts'
import { reconcileGenerations } from '../../../src/domain/generations/steps/reconcileGenerations.ts'
import { recordOutputs } from '../../../src/domain/generations/steps/recordOutputs.ts'
import { recordRefusedSubmit } from '../../../src/domain/generations/steps/recordSubmit.ts'
import { grantVendorSlots } from '../../../src/domain/vendors/grantVendorSlots.ts'
import { pruneVendorSlots } from '../../../src/domain/vendors/pruneVendorSlots.ts'
import { contendingJobs } from '../../support/vendor/contendingJobs.ts'
import { vendorServices } from '../../support/vendor/vendorRun.ts'

const settings = { vendorLoads: new Map([['vendor', { atOnce: 3, perMinute: 8 }]]) }
const here = await vendorServices({ settings })
const there = await vendorServices({ settings, databaseUrl: here.databaseUrl, clock: here.clock })
afterAll(async () => {
  await there.close()
  await here.close()
})
const { clock, services } = here
const { ask, claim, context, fail, holders, inLine, isQueued, looks, made, start } = await contendingJobs(here)
const elsewhere = contextFor(there.services, { kind: 'system' })
const grantSlots = () => grantVendorSlots(context, 'vendor')

async function startMany(count: number, familyId?: string): Promise<string[]> {
  const ids: string[] = []
  for (let n = 0; n < count; n++) ids.push(await start(familyId))
  return ids.toSorted()
}

beforeEach(async () => {
  await services.pool.query('truncate vendor_slots, waiting_submits, breakers')
  await services.pool.query(`select graphile_worker.remove_job(key) from graphile_worker.jobs where key like 'slots%'`)
})

test('of many concurrent starts in two processes, as many as the limit of the vendor get a slot; the others wait without a job', async () => {
  const ids = await startMany(9)
  const verdicts = await Promise.all(ids.map((id, n) => ask(id, n % 2 === 0 ? context : elsewhere)))
  expect(verdicts.filter((verdict) => verdict === 'written')).toHaveLength(3)
  expect(verdicts.filter((verdict) => verdict === 'waits')).toHaveLength(6)
  expect([await holders(), await inLine()].map(({ length }) => length)).toEqual([3, 6])
  expect((await findGeneration(context, (await inLine())[0] ?? ''))?.deadlineAt).toBeNull()
})

test('a transaction that counts slots waits for one that is taking a slot', async () => {
  const [first = '', second = '', third = '', fourth = ''] = await startMany(4)
  for (const id of [first, second]) await ask(id)
  // It does not wait for its place in the queue of its team.
  await claim(fourth)
  const other = await transaction(elsewhere, async (inside) => {
    expect(await ask(third, inside)).toBe('written')
    const asked = ask(fourth)
    const waits = `select 1 from pg_locks where locktype = 'advisory' and not granted`
    await vi.waitFor(async () => expect((await services.pool.query(waits)).rows).toHaveLength(1), { timeout: 3000, interval: 5 })
    return { asked }
  })
  expect(await other.asked).toBe('waits')
})

test('a released slot goes to the longest waiting generation at once, before any new one', async () => {
  const [first = '', second, third, fourth = '', fifth = '', late = ''] = await startMany(6)
  for (const id of [first, second, third, fourth, fifth]) await ask(id ?? '')
  await fail(first)
  expect(await looks()).toMatchObject({ [`slots:vendor:${first}`]: 0 })
  expect(await ask(late)).toBe('waits')
  expect(await holders()).toEqual([second, third, fourth])
  expect(await isQueued(fourth)).toBe(true)
  expect(await inLine()).toEqual([fifth, late])
  expect(await ask(fourth)).toBe('written')
})

test('a cancel, a failure and a finished result each release the slot', async () => {
  const [cancelled = '', failed = '', ready = ''] = await startMany(3)
  for (const id of [cancelled, failed]) await ask(id)
  await ask(ready)
  await cancelGeneration(made.context, made.spender, cancelled)
  await fail(failed)
  expect(await holders()).toEqual([ready])
  await recordOutputs(context, await claim(ready), { outputs: [] })
  expect(await holders()).toEqual([])
})

test('no more slots are granted than the limit per minute, and the next one when the minute is over', async () => {
  const ids = await startMany(10)
  for (const id of ids.slice(0, 8)) {
    expect(await ask(id)).toBe('written')
    await fail(id)
  }
  expect(await ask(ids[8] ?? '')).toBe('waits')
  await grantSlots()
  expect(await looks()).toMatchObject({ 'slots later:vendor': 60 })
  await clock.advance(60_001)
  await grantSlots()
  expect(await holders()).toEqual([ids[8]])
  expect(await ask(ids[9] ?? '')).toBe('written')
})

test('the wait for a slot does not count for the deadline, and a cancel while waiting is free and leaves the queue', async () => {
  const ids = await startMany(5)
  for (const id of ids) await ask(id)
  const [waits = '', leaves = ''] = ids.slice(3)
  await clock.advance(3_600_000)
  await cancelGeneration(made.context, made.spender, leaves)
  expect(await inLine()).toEqual([waits])
  await fail(ids[0] ?? '')
  await grantSlots()
  expect((await claim(waits)).generation.deadlineAt).toEqual(new Date(clock.now().getTime() + 120_000))
})

test('the limit of a family does not block other families of its vendor', async () => {
  const narrow = await startMany(3, 'narrow-image')
  for (const id of narrow) await ask(id)
  const [wide = ''] = await startMany(1)
  expect(await ask(wide)).toBe('written')
  expect(await holders()).toEqual([narrow[0], wide])
  await fail(narrow[0] ?? '')
  await grantSlots()
  expect(new Set(await holders())).toEqual(new Set([narrow[1], wide]))
})

test('work that the vendor rejects for capacity keeps its slot, and counts again for the minute when it is resubmitted', async () => {
  const [id = ''] = await startMany(1)
  expect(await ask(id)).toBe('written')
  await recordRefusedSubmit(context, { ...(await claim(id)), intentAt: null }, { reason: 'model_at_capacity', delaySeconds: 5 })
  expect(await holders()).toEqual([id])
  expect(await ask(id)).toBe('written')
  const { rows } = await services.pool.query('select count(*)::integer as count from vendor_slots where generation_id = $1', [id])
  expect(rows).toEqual([{ count: 2 }])
})

test('a locked family gets no slots, and one slot when a trial may start', async () => {
  const ids = await startMany(3, 'narrow-image')
  for (const id of ids) await ask(id)
  await services.pool.query(
    `insert into breakers (subject, locked_until) values ('family:narrow-image', present() + interval '30 seconds')`,
  )
  await fail(ids[0] ?? '')
  await grantSlots()
  expect(await holders()).toEqual([])
  expect(await looks()).toMatchObject({ 'slots later:vendor': 30 })
  await clock.advance(30_000)
  await grantSlots()
  expect(await holders()).toEqual([ids[1]])
  expect(await ask(ids[1] ?? '')).toBe('written')
})

test('with 10,000 waiting generations a slot is taken and granted soon, and no job waits', async () => {
  await services.pool.query(`insert into waiting_submits
    select 'gen_zzz' || to_char(n, 'FM00000'), 'vendor', 'narrow-image', present() from generate_series(1, 10000) n`)
  await services.pool.query(
    `insert into vendor_slots (generation_id, provider, family_id, taken_at) values ('gen_x', 'vendor', 'narrow-image', present())`,
  )
  const [wide = ''] = await startMany(1)
  const began = performance.now()
  expect(await ask(wide)).toBe('written')
  await grantSlots()
  expect(performance.now() - began).toBeLessThan(5_000)
  expect((await inLine()).length).toBe(10_000)
  expect(await isQueued('gen_zzz00001')).toBe(false)
})

test('the repair job ignores waiting work and replaces a lost notification; after a day waiting work fails for free', async () => {
  const ids = await startMany(4)
  for (const id of ids) await ask(id)
  const [waits = ''] = ids.slice(3)
  await services.pool.query(`select graphile_worker.remove_job('generation:' || $1::text)`, [waits])
  await clock.advance(60_000)
  await services.pool.query(`select graphile_worker.remove_job(key) from graphile_worker.jobs where key like 'slots%'`)
  await reconcileGenerations(context)
  expect(await isQueued(waits)).toBe(false)
  expect(await looks()).toMatchObject({ 'slots:vendor': 0 })
  await clock.advance(24 * 3_600_000)
  await reconcileGenerations(context)
  expect(await findGeneration(context, waits)).toMatchObject({
    failure: { code: 'model_unavailable', reason: 'model_at_capacity' },
    creditsCharged: 0,
  })
  expect(await inLine()).toEqual([])
})

test('released slots are deleted when their minute is over, held slots are not', async () => {
  const [gone = '', held = ''] = await startMany(2)
  for (const id of [gone, held]) await ask(id)
  await fail(gone)
  await clock.advance(121_000)
  expect(await pruneVendorSlots(context)).toBe(1)
  expect(await holders()).toEqual([held])
})
