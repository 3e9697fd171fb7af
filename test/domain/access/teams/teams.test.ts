import { afterAll, expect, test } from 'vitest'
import { newId } from '../../../../src/contract/ids.ts'
import { createTeam, findTeam, updateTeam } from '../../../../src/domain/access/teams/teams.ts'
import { accountOf } from '../../../../src/domain/credits/grantCredits.ts'
import { aServiceContext } from '../../../support/factories.ts'
import { issueOf } from '../../../support/refused.ts'
import { testServices } from '../../../support/services.ts'

const { services, clock, close } = await testServices()
afterAll(close)
const context = () => aServiceContext(services)

test('a new team has an empty account, a plan without an end and external access', async () => {
  const team = await createTeam(context(), { name: '  Studio ' })
  expect(team).toMatchObject({ name: 'Studio', planExpiresAt: null, blocked: false, externalAccess: true, createdAt: clock.now() })
  expect(await accountOf(context(), { teamId: team.id })).toMatchObject({ balance: 0, held: 0, userId: null })
})

test('an update changes only the given fields', async () => {
  const planExpiresAt = new Date('2027-03-01T00:00:00.000Z')
  const { id } = await createTeam(context(), { name: 'Studio', planExpiresAt })
  expect(await updateTeam(context(), { id, blocked: true })).toMatchObject({
    name: 'Studio',
    planExpiresAt,
    blocked: true,
    externalAccess: true,
  })
  expect(await updateTeam(context(), { id, name: 'Atelier', externalAccess: false, blocked: false })).toMatchObject({
    name: 'Atelier',
    externalAccess: false,
  })
  expect(await updateTeam(context(), { id, name: null, blocked: null })).toMatchObject({ name: 'Atelier', planExpiresAt, blocked: false })
  expect(await updateTeam(context(), { id, planExpiresAt: null })).toMatchObject({ planExpiresAt: null })
})

test.each([
  ['', 'name: too_small'],
  ['   ', 'name: too_small'],
  ['x'.repeat(101), 'name: too_long'],
  ['a\0b', 'name: bad_format'],
  ['\ud800', 'name: bad_format'],
])('the name %j is refused, and no team is created', async (name, issue) => {
  expect(await issueOf(createTeam(context(), { name }))).toBe(issue)
})

test('a name may have 100 grapheme clusters', async () => {
  expect(await createTeam(context(), { name: '🎨'.repeat(100) })).toMatchObject({ name: '🎨'.repeat(100) })
})

test.each([newId('team'), newId('user'), 'team_', '', 'team_\0', "' or true --", 'x'.repeat(5000)])(
  'the unknown team %j is neither found nor changed',
  async (id) => {
    expect(await findTeam(context(), id)).toBeNull()
    expect(await issueOf(updateTeam(context(), { id, name: 'Mine' }))).toBe('id: not_allowed')
  },
)

test('a refused update does not affect a later one', async () => {
  const shared = context()
  const { id } = await createTeam(shared, { name: 'Studio' })
  await issueOf(updateTeam(shared, { id, blocked: true, name: '' }))
  await updateTeam(shared, { id, externalAccess: false })
  expect(await findTeam(context(), id)).toMatchObject({ name: 'Studio', blocked: false, externalAccess: false })
})
