import { afterAll, expect, test } from 'vitest'
import { countActiveKeys } from '../../../../src/domain/access/keys/countActiveKeys.ts'
import { issueKey } from '../../../../src/domain/access/keys/issueKey.ts'
import { revokeKey } from '../../../../src/domain/access/keys/revokeKey.ts'
import { visiblePeople } from '../../../../src/domain/access/people/visiblePeople.ts'
import { removeTeamMember, setTeamMember } from '../../../../src/domain/access/teams/memberships.ts'
import type { Scope } from '../../../../src/entities/ApiKey.ts'
import { aServiceContext, aTeam, aUser } from '../../../support/factories.ts'
import { testServices } from '../../../support/services.ts'

const { services, clock, close } = await testServices()
afterAll(close)
const tool = aServiceContext(services)
const as = (userId: string) => ({ ...tool, actor: { kind: 'person', userId } as const })

test('people see only themselves and members of their teams', async () => {
  const { team, user: owner } = await aTeam(services)
  const { team: another, user: foreign } = await aTeam(services)
  const member = await aUser(services)
  for (const teamId of [team.id, another.id]) await setTeamMember(tool, { teamId, userId: member.id, role: 'member' })
  const everybody = [owner.id, member.id, foreign.id, 'user_nobody']
  expect(await visiblePeople(as(owner.id), everybody)).toEqual(new Set([owner.id, member.id]))
  expect(await visiblePeople(as(member.id), everybody)).toEqual(new Set([owner.id, member.id, foreign.id]))
  expect(await visiblePeople(as((await aUser(services)).id), everybody)).toEqual(new Set())
})

test('a service token of some teams sees their members only', async () => {
  const { team, user: owner } = await aTeam(services)
  const { user: foreign } = await aTeam(services)
  const token = { id: 'tok', readOnly: false, teamIds: [team.id] }
  const limited = { ...tool, actor: { kind: 'service', token } as const }
  expect(await visiblePeople(limited, [owner.id, foreign.id])).toEqual(new Set([owner.id]))
  expect(await visiblePeople(tool, [owner.id, foreign.id])).toEqual(new Set([owner.id, foreign.id]))
})

test('managers of a team see former issuers of its keys; members do not', async () => {
  const { team, user: owner } = await aTeam(services)
  const [member, issuer] = [await aUser(services), await aUser(services)]
  await setTeamMember(tool, { teamId: team.id, userId: member.id, role: 'member' })
  await setTeamMember(tool, { teamId: team.id, userId: issuer.id, role: 'admin' })
  await issueKey(tool, { teamId: team.id, userId: issuer.id, name: 'left behind', scopes: ['generations:write'] })
  await removeTeamMember(tool, { teamId: team.id, userId: issuer.id })
  expect(await visiblePeople(as(owner.id), [issuer.id])).toEqual(new Set([issuer.id]))
  expect(await visiblePeople(as(member.id), [issuer.id])).toEqual(new Set())
  expect(await visiblePeople(as(issuer.id), [owner.id])).toEqual(new Set())
})

test('the live keys are counted separately for each member and team', async () => {
  const [one, two] = [await aTeam(services), await aTeam(services)]
  await setTeamMember(tool, { teamId: two.team.id, userId: one.user.id, role: 'admin' })
  const issue = (teamId: string, userId: string, scope: Scope, expiresAt?: Date) =>
    issueKey(tool, { teamId, userId, name: 'any', scopes: [scope], expiresAt })
  await issue(one.team.id, one.user.id, 'generations:read')
  await issue(two.team.id, one.user.id, 'generations:read')
  await issue(two.team.id, one.user.id, 'mcp')
  await revokeKey(tool, (await issue(one.team.id, one.user.id, 'mcp')).apiKey.id)
  const soon = new Date(clock.now().getTime() + 1000)
  await issue(one.team.id, one.user.id, 'generations:read', soon)
  await clock.set(soon)
  const members = [
    { teamId: two.team.id, userId: two.user.id },
    { teamId: two.team.id, userId: one.user.id },
    { teamId: one.team.id, userId: one.user.id },
  ]
  expect(await countActiveKeys(tool, members)).toEqual([
    { all: 0, rest: 0 },
    { all: 2, rest: 1 },
    { all: 1, rest: 1 },
  ])
})
