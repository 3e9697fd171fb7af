import { afterAll, beforeEach, expect, test } from 'vitest'
import { availabilityFor } from '../../../../src/domain/access/availability/availabilityFor.ts'
import { lockReasonOf } from '../../../../src/domain/catalog/lockReason.ts'
import { startGeneration } from '../../../../src/domain/generations/start/startGeneration.ts'
import { aTeamWithKey } from '../../../support/factories.ts'
import { refused } from '../../../support/refused.ts'
import { vendorServices } from '../../../support/vendor/vendorRun.ts'

const own = await vendorServices()
afterAll(own.close)
const { services } = own
const { context, spender } = await aTeamWithKey(services)

/** A family of two vendors: one for the default variant, another for `spare`. */
const familyId = 'paired-image'
const start = (tier = 'plain') => startGeneration(context, spender, { request: { familyId, axes: { tier }, prompt: 'a boat' } })

beforeEach(async () => {
  await services.pool.query('delete from breakers')
})

async function lock(provider: string, seconds: number): Promise<void> {
  await services.pool.query(`insert into breakers (subject, locked_until) values ($1, present() + $2 * interval '1 second')`, [
    `vendor:${provider}`,
    seconds,
  ])
  await services.breakers.refresh()
}

async function lockReason() {
  const family = services.catalog.families.get(familyId)
  if (!family) throw new Error('the family is missing')
  return lockReasonOf(family, await availabilityFor(context))
}

test('work of one vendor is never a trial of another vendor: all of it is accepted', async () => {
  await lock('quiet', -1)
  await Promise.all([start(), start(), start()])
  await start('spare')
  expect(await refused(start('spare'))).toMatchObject({ code: 'family_unavailable', details: { familyId, retryAfterSeconds: 30 } })
  await start()
})

test('while one vendor of a family is locked the family is available, and variants of that vendor are refused until it is unlocked', async () => {
  await lock('quiet', 40)
  expect(await lockReason()).toBeUndefined()
  await start()
  expect(await refused(start('spare'))).toMatchObject({ code: 'family_unavailable', details: { familyId, retryAfterSeconds: 40 } })
  await lock('vendor', 20)
  expect(await lockReason()).toBe('temporarily_unavailable')
  expect(await refused(start('spare'))).toMatchObject({ code: 'family_unavailable', details: { familyId, retryAfterSeconds: 20 } })
})
