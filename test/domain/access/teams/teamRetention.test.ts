import { afterAll, expect, test } from 'vitest'
import { deleteTeam } from '../../../../src/domain/access/teams/deleteTeam.ts'
import { removeTeamMember } from '../../../../src/domain/access/teams/memberships.ts'
import { setTeamRetention, teamRetentions } from '../../../../src/domain/access/teams/teamRetention.ts'
import { aServiceContext, aTeam } from '../../../support/factories.ts'
import { aMember, aPersonContext } from '../../../support/people/sessions.ts'
import { testServices } from '../../../support/services.ts'

const { services, close } = await testServices()
afterAll(close)
const tool = aServiceContext(services)
const said = async (teamId: string) => (await teamRetentions(tool, [teamId]))[0]

test('an omitted setting does not change, null restores the rule of the deployment, and each change is one audit entry', async () => {
  const { team } = await aTeam(services)
  expect(await said(team.id)).toEqual({ mediaDays: null, historyDays: null })
  await setTeamRetention(tool, { teamId: team.id, mediaDays: 7, historyDays: 90 })
  await setTeamRetention(tool, { teamId: team.id, mediaDays: 7 })
  await setTeamRetention(tool, { teamId: team.id, historyDays: null })
  expect(await said(team.id)).toEqual({ mediaDays: 7, historyDays: null })
  const { rows } = await services.pool.query(
    `select before, after from audit_entries where team_id = $1 and action = 'team.retention_set' order by id`,
    [team.id],
  )
  expect(rows).toEqual([
    { before: { mediaDays: null, historyDays: null }, after: { mediaDays: 7, historyDays: 90 } },
    { before: { historyDays: 90 }, after: { historyDays: null } },
  ])
})

test.each([
  [{ mediaDays: 0 }, 'mediaDays', 'too_small'],
  [{ historyDays: 3651 }, 'historyDays', 'too_big'],
  [{ mediaDays: 31 }, 'mediaDays', 'conflict'],
  [{ historyDays: 6 }, 'mediaDays', 'conflict'],
])('%j is refused and changes nothing', async (change, field, code) => {
  const { team } = await aTeam(services)
  await setTeamRetention(tool, { teamId: team.id, mediaDays: 7, historyDays: 30 })
  await expect(setTeamRetention(tool, { teamId: team.id, ...change })).rejects.toMatchObject({
    code: 'invalid_request',
    details: { issues: [{ path: [field], code }] },
  })
  expect(await said(team.id)).toEqual({ mediaDays: 7, historyDays: 30 })
})

test('concurrent changes of the two settings never keep media longer than their generation', async () => {
  const { team } = await aTeam(services)
  const changes = [{ mediaDays: 20 }, { historyDays: 10 }]
  const settled = await Promise.allSettled(changes.map((change) => setTeamRetention(tool, { teamId: team.id, ...change })))
  expect(settled.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
})

test('the retention of a deleted team cannot be set', async () => {
  const { team } = await aTeam(services)
  await deleteTeam(tool, { teamId: team.id, name: team.name })
  await expect(setTeamRetention(tool, { teamId: team.id, mediaDays: 7 })).rejects.toMatchObject({ code: 'invalid_request' })
})

test('an administrator who is removed while the request waits for the lock sets nothing', async () => {
  const { team } = await aTeam(services)
  const { id: userId } = await aMember(services, { teamId: team.id, role: 'admin' })
  const asAdmin = aPersonContext(services, { userId })
  await setTeamRetention(asAdmin, { teamId: team.id, mediaDays: 30 })
  await removeTeamMember(tool, { teamId: team.id, userId })
  await expect(setTeamRetention(asAdmin, { teamId: team.id, mediaDays: 1 })).rejects.toMatchObject({ code: 'access_denied' })
  expect(await said(team.id)).toEqual({ mediaDays: 30, historyDays: null })
})
