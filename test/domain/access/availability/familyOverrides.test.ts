import { afterAll, expect, test, vi } from 'vitest'
import { makeFamilyOverrides } from '../../../../src/domain/access/availability/familyOverrides.ts'
import { setFamilyAvailability } from '../../../../src/domain/access/availability/setFamilyAvailability.ts'
import { bindSql } from '../../../../src/domain/sql.ts'
import { aServiceContext } from '../../../support/factories.ts'
import { refused } from '../../../support/refused.ts'
import { testServices } from '../../../support/services.ts'

const here = await testServices()
const there = await testServices({ databaseUrl: here.databaseUrl })
afterAll(async () => {
  await there.close()
  await here.close()
})
const { services } = here
const familyId = 'sandbox-image'

test('an override applies at once in its process, and soon in every other process', async () => {
  await setFamilyAvailability(aServiceContext(services), { familyId, available: false })
  expect(services.familyOverrides.current().get(familyId)).toBe(false)
  await vi.waitFor(() => expect(there.services.familyOverrides.current().get(familyId)).toBe(false), { timeout: 3000, interval: 5 })
  await setFamilyAvailability(aServiceContext(there.services), { familyId, available: true })
  await vi.waitFor(() => expect(services.familyOverrides.current().get(familyId)).toBe(true), { timeout: 3000, interval: 5 })
})

test('an unknown family is refused and stores no override', async () => {
  const before = new Map(services.familyOverrides.current())
  const unknown = { familyId: '__proto__', available: false }
  expect(await refused(setFamilyAvailability(aServiceContext(services), unknown))).toEqual({
    code: 'family_not_found',
    details: { familyId: '__proto__' },
  })
  await services.familyOverrides.refresh()
  expect(services.familyOverrides.current()).toEqual(before)
})

test('concurrent refreshes return everything written before them', async () => {
  const overrides = await makeFamilyOverrides({ sql: bindSql(services.pool), notices: services.notices, log: services.log })
  for (let round = 0; round < 5; round++) {
    const available = round % 2 === 0
    await services.pool.query('insert into family_overrides values ($1, $2) on conflict (family_id) do update set available = $2', [
      'sandbox-3d',
      available,
    ])
    await Promise.all([overrides.refresh(), overrides.refresh(), overrides.refresh()])
    expect(overrides.current().get('sandbox-3d')).toBe(available)
  }
  overrides.close()
})

test('changes missed while the listening connection was down are read after it reconnects', async () => {
  const overrides = await makeFamilyOverrides({ sql: bindSql(services.pool), notices: services.notices, log: services.log })
  await services.pool.query("insert into family_overrides values ('sandbox-audio', false)")
  await services.pool.query(
    "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'atelier listen' and datname = current_database()",
  )
  // Before the periodic read, every five seconds.
  await vi.waitFor(() => expect(overrides.current().get('sandbox-audio')).toBe(false), { timeout: 4000, interval: 5 })
  overrides.close()
})
