import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test, vi } from 'vitest'
import { setFamilyAccess, setTeamFamilyAvailability } from '../../../../src/domain/access/availability/setTeamFamilyAvailability.ts'
import { testApp } from '../../../support/app.ts'
import { aServiceContext, aTeamWithKey } from '../../../support/factories.ts'
import { issueOf, refused } from '../../../support/refused.ts'

const catalogFolder = await mkdtemp(join(tmpdir(), 'atelier-catalog-'))
await cp('catalog/sandbox', catalogFolder, { recursive: true })
const file = join(catalogFolder, 'sandbox-3d.json')
await writeFile(file, JSON.stringify({ ...JSON.parse(await readFile(file, 'utf8')), restricted: true }))

const here = await testApp({ catalogFolder })
const there = await testApp({ catalogFolder, databaseUrl: here.databaseUrl })
afterAll(async () => {
  await there.close()
  await here.close()
  await rm(catalogFolder, { recursive: true, force: true })
})
const operator = aServiceContext(here.services)

async function lockOf(app: typeof here, key: string, familyId: string): Promise<string | undefined> {
  const { body } = await app.ask('GET /families', { key })
  const { lockReason, available } = (await app.ask(`GET /families/${familyId}`, { key })).body
  expect(body.items.find(({ id }) => id === familyId)?.lockReason).toBe(lockReason)
  expect(available).toBe(lockReason === undefined)
  return lockReason
}

test('a family that a team switched off is locked only for keys of this team, in every process', async () => {
  const [own, others] = [await aTeamWithKey(here.services), await aTeamWithKey(here.services)]
  const familyId = 'sandbox-image'
  expect([await lockOf(here, own.value, familyId), await lockOf(there, own.value, familyId)]).toEqual([undefined, undefined])

  await setTeamFamilyAvailability(operator, { familyId, teamId: own.team.id, available: false })
  expect([await lockOf(here, own.value, familyId), await lockOf(here, others.value, familyId)]).toEqual(['disabled_by_team', undefined])
  const start = await here.ask('POST /generations', { key: own.value, body: { familyId, prompt: 'a boat' } })
  expect([start.status, start.body.error.code]).toEqual([403, 'access_denied'])
  await vi.waitFor(async () => expect(await lockOf(there, own.value, familyId)).toBe('disabled_by_team'), { timeout: 4000, interval: 10 })

  await setTeamFamilyAvailability(operator, { familyId, teamId: own.team.id, available: true })
  expect(await lockOf(here, own.value, familyId)).toBeUndefined()
})

test('a restricted family is open to teams with a grant, until the grant is revoked', async () => {
  const [own, others] = [await aTeamWithKey(here.services), await aTeamWithKey(here.services)]
  const familyId = 'sandbox-3d'
  const estimate = async (key: string) =>
    (await here.ask('POST /generations/estimate', { key, body: { familyId, prompt: 'a cup' } })).status
  await setFamilyAccess(operator, { familyId, teamId: own.team.id, granted: true })
  expect([await lockOf(here, own.value, familyId), await lockOf(here, others.value, familyId)]).toEqual([undefined, 'access_denied'])
  expect([await estimate(own.value), await estimate(others.value)]).toEqual([200, 403])

  await setTeamFamilyAvailability(operator, { familyId, teamId: own.team.id, available: false })
  await setFamilyAccess(operator, { familyId, teamId: own.team.id, granted: false })
  expect([await lockOf(here, own.value, familyId), await estimate(own.value)]).toEqual(['access_denied', 403])
  await setFamilyAccess(operator, { familyId, teamId: own.team.id, granted: true })
  expect(await lockOf(here, own.value, familyId)).toBe('disabled_by_team')
})

test('requests of a cached team do not read its families', async () => {
  const { value: key } = await aTeamWithKey(here.services)
  await here.ask('GET /families', { key })
  await here.services.pool.query('alter table team_families rename to elsewhere')
  try {
    expect((await here.ask('GET /families', { key })).status).toBe(200)
  } finally {
    await here.services.pool.query('alter table elsewhere rename to team_families')
  }
})

test('unknown families and teams are refused', async () => {
  const { team } = await aTeamWithKey(here.services)
  const unknown = { code: 'family_not_found', details: { familyId: 'none' } }
  expect(await refused(setFamilyAccess(operator, { familyId: 'none', teamId: team.id, granted: true }))).toEqual(unknown)
  expect(await issueOf(setFamilyAccess(operator, { familyId: 'sandbox-3d', teamId: 'team_none', granted: true }))).toMatch(/^teamId: /)
})
