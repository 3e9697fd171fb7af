import { afterAll, expect, test } from 'vitest'
import { newId } from '../../../../src/contract/ids.ts'
import { listMemberships, removeTeamMember, setTeamMember } from '../../../../src/domain/access/teams/memberships.ts'
import { aServiceContext, aTeam, aUser } from '../../../support/factories.ts'
import { issueOf } from '../../../support/refused.ts'
import { testServices } from '../../../support/services.ts'

const { services, close } = await testServices()
afterAll(close)
const context = () => aServiceContext(services)
const everybody = { limit: 50, fromTheEnd: false }

test('setting a role again changes only the role of the one membership', async () => {
  const { team } = await aTeam(services)
  const user = await aUser(services)
  const joined = await setTeamMember(context(), { teamId: team.id, userId: user.id, role: 'member' })
  const changed = await Promise.all(
    (['admin', 'owner', 'admin'] as const).map((role) => setTeamMember(context(), { teamId: team.id, userId: user.id, role })),
  )
  expect(changed.every(({ createdAt }) => createdAt.getTime() === joined.createdAt.getTime())).toBe(true)
  const members = await listMemberships(context(), { teamId: team.id }, everybody)
  expect(members.map(({ userId }) => userId)).toContain(user.id)
  expect(members).toHaveLength(2)
})

test('a tool may demote or remove the last owner; a second removal returns false', async () => {
  const { team, user } = await aTeam(services)
  const member = { teamId: team.id, userId: user.id }
  expect(await setTeamMember(context(), { ...member, role: 'member' })).toMatchObject({ role: 'member' })
  expect(await removeTeamMember(context(), member)).toBe(true)
  expect(await removeTeamMember(context(), member)).toBe(false)
})

test('unknown teams and people are refused at their fields', async () => {
  const { team, user } = await aTeam(services)
  const nobody = newId('user')
  expect(await issueOf(setTeamMember(context(), { teamId: newId('team'), userId: user.id, role: 'owner' }))).toBe('teamId: not_allowed')
  expect(await issueOf(setTeamMember(context(), { teamId: team.id, userId: nobody, role: 'owner' }))).toBe('userId: not_allowed')
  expect(await issueOf(removeTeamMember(context(), { teamId: 'team_\0', userId: user.id }))).toBe('teamId: not_allowed')
  expect(await issueOf(removeTeamMember(context(), { teamId: team.id, userId: nobody }))).toBe('userId: not_allowed')
})

test('a reader that has loaded the old role sees the new role at once', async () => {
  const reader = context()
  const { team, user } = await aTeam(services)
  await listMemberships(reader, { teamId: team.id }, everybody)
  await setTeamMember(context(), { teamId: team.id, userId: user.id, role: 'member' })
  expect(await listMemberships(reader, { userId: user.id }, everybody)).toMatchObject([{ role: 'member' }])
})
