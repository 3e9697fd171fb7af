import { afterAll, beforeEach, expect, test } from 'vitest'
import { claimGeneration } from '../../../src/domain/generations/steps/claimGeneration.ts'
import { reconcileGenerations } from '../../../src/domain/generations/steps/reconcileGenerations.ts'
import { recordIntent } from '../../../src/domain/generations/steps/recordSubmit.ts'
import { startFallbackAttempt } from '../../../src/domain/generations/steps/startFallbackAttempt.ts'
import { grantVendorSlots } from '../../../src/domain/vendors/grantVendorSlots.ts'
import { contendingJobs } from '../../support/vendor/contendingJobs.ts'
import { vendorServices } from '../../support/vendor/vendorRun.ts'

const one = { atOnce: 1 }
const own = await vendorServices({ settings: { vendorLoads: new Map(['vendor', 'quiet'].map((id) => [id, one])) } })
afterAll(own.close)
const { clock, services } = own
const { ask, claim, context, fail, holders, inLine, isQueued, start } = await contendingJobs(own)

beforeEach(async () => {
  await services.pool.query('truncate vendor_slots, waiting_submits, breakers')
})

/** Starts work that `quiet` is to run as the fallback, as the submit job does. */
async function startFallback(): Promise<string> {
  const id = await start('paired-image')
  const fallback = services.catalog.families.get('paired-image')?.variants.find(({ provider }) => provider.id === 'quiet')
  if (!fallback) throw new Error('there is no fallback variant')
  await startFallbackAttempt(context, await claim(id), fallback)
  const options = { task: 'submitGeneration', providerId: 'quiet', deadlineSeconds: 120, fallbackModelId: fallback.modelId } as const
  const claimed = await claimGeneration(context, id, options)
  if (!claimed) throw new Error('there is nothing to submit')
  await recordIntent(context, claimed, { id: 'quiet' })
  return id
}

test('a waiting fallback gets a slot while its family is locked, because it runs at another vendor', async () => {
  const [first, second] = [await startFallback(), await startFallback()]
  expect([await holders(), await inLine()]).toEqual([[first], [second]])
  await services.pool.query(
    `insert into breakers (subject, locked_until) values ('family:paired-image', present() + interval '10 minutes')`,
  )
  await fail(first)
  await grantVendorSlots(context, 'quiet')
  expect([await holders(), await inLine()]).toEqual([[second], []])
})

test('work that ends while it becomes the trial does not block another trial', async () => {
  await services.pool.query(`insert into breakers (subject, locked_until) values ('vendor:vendor', present())`)
  await services.pool.query(`insert into waiting_submits values ('gen_0', 'vendor', 'vendor-image', present())`)
  const end = await services.pool.connect()
  await end.query('begin')
  await end.query(`select release_vendor_slot('gen_0')`)
  const handing = grantVendorSlots(context, 'vendor')
  await expect.poll(waiting, { interval: 5 }).toBe(1)
  await end.query('commit')
  end.release()
  await handing
  const { rows } = await services.pool.query('select trial_by from breakers')
  expect(rows).toEqual([{ trial_by: null }])
})

async function waiting(): Promise<number> {
  const { rows } = await services.pool.query(
    `select count(*)::integer as count from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
  )
  return rows[0].count
}

test('waiting work for a model that left the catalog gets a job, which fails it within minutes; other work keeps waiting', async () => {
  const [first, known, gone, moved] = [await start(), await start(), await start(), await start()]
  for (const id of [first, known, gone, moved]) await ask(id)
  expect(await inLine()).toEqual([known, gone, moved])
  await services.pool.query(`update waiting_submits set family_id = 'gone' where generation_id = $1`, [gone])
  await services.pool.query(`update waiting_submits set provider = 'quiet' where generation_id = $1`, [moved])
  await services.pool.query(`select graphile_worker.remove_job('generation:' || id) from generations`)
  await clock.advance(60_000)
  await reconcileGenerations(context)
  expect(await inLine()).toEqual([known])
  expect([await isQueued(known), await isQueued(gone), await isQueued(moved)]).toEqual([false, true, true])
})

test('concurrent releases of slots do not wait for each other', async () => {
  const [first, second, third] = [await startFallback(), await start(), await start()]
  for (const id of [second, third]) await ask(id)
  expect([await holders(), await inLine()]).toEqual([[first, second], [third]])
  await services.pool.query('update vendor_slots set provider = $1', ['vendor'])
  const ending = await services.pool.connect()
  await ending.query('begin')
  await ending.query('select release_vendor_slot($1)', [first])
  await services.pool.query('select release_vendor_slot($1)', [second])
  await ending.query('commit')
  ending.release()
  expect(await holders()).toEqual([])
})

test('a database clock that is set back delays waiting work by at most one minute', async () => {
  const [first, second] = [await start(), await start()]
  for (const id of [first, second]) await ask(id)
  await fail(first)
  await clock.advance(-3_600_000)
  const perMinute = { ...services, settings: { ...services.settings, vendorLoads: new Map([['vendor', { perMinute: 1 }]]) } }
  await grantVendorSlots({ ...context, ...perMinute, catalog: { ...services.catalog } }, 'vendor')
  expect([await holders(), await inLine()]).toEqual([[second], []])
})
