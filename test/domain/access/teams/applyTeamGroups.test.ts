import { randomUUID } from 'node:crypto'
import { afterAll, expect, test } from 'vitest'
import { openSession } from '../../../../src/domain/access/sessions/openSession.ts'
import { deleteTeam } from '../../../../src/domain/access/teams/deleteTeam.ts'
import { findMembership, removeTeamMember, setTeamMember } from '../../../../src/domain/access/teams/memberships.ts'
import { setTeamGroup } from '../../../../src/domain/access/teams/teamGroups.ts'
import type { Role } from '../../../../src/entities/Membership.ts'
import { aServiceContext, aTeam, aUser } from '../../../support/factories.ts'
import { aPersonContext } from '../../../support/people/sessions.ts'
import { testServices } from '../../../support/services.ts'

/** Real time, because a membership and its session must begin at the same time. */
const { services, logged, close } = await testServices({ clock: 'database' })
afterAll(close)
const tool = () => aServiceContext(services)

/** A team with one group of a unique name for each role. */
async function aTeamOf(...roles: Role[]) {
  const { team, user: owner } = await aTeam(services)
  const groups = roles.map((role) => `${role} ${randomUUID()}`)
  for (const [at, role] of roles.entries()) await setTeamGroup(tool(), { teamId: team.id, group: groups[at] ?? '', role })
  return { team, teamId: team.id, owner, groups }
}
const signIn = (userId: string, groups?: readonly string[]) => openSession(tool(), { userId, token: randomUUID(), groups })
const membershipOf = async (teamId: string, userId: string) => {
  const found = await findMembership(tool(), { teamId, userId })
  return found && { role: found.role, fromGroups: found.fromGroups }
}
const audited = async (teamId: string, userId: string) => {
  const text = `select action, actor_kind, before, after from audit_entries where team_id = $1 and subject_id = $2 order by id`
  return (await services.pool.query(text, [teamId, userId])).rows
}
const sessionsOf = async (userId: string) =>
  (await services.pool.query('select id from auth.sessions where user_id = $1 order by created_at, id', [userId])).rows.map(({ id }) => id)

test('the strongest role of all groups is given, follows the groups at each sign-in, and ends with them; each change is audited', async () => {
  const { teamId, groups } = await aTeamOf('member', 'admin')
  const { id } = await aUser(services)
  await signIn(id, [...groups, 'unmapped'])
  expect(await membershipOf(teamId, id)).toEqual({ role: 'admin', fromGroups: true })
  await signIn(id, groups)
  await signIn(id, groups.slice(0, 1))
  expect(await membershipOf(teamId, id)).toEqual({ role: 'member', fromGroups: true })
  await signIn(id, [])
  expect(await membershipOf(teamId, id)).toBeNull()
  expect(await audited(teamId, id)).toEqual([
    { action: 'member.added', actor_kind: 'system', before: null, after: { role: 'admin', group: groups[1] } },
    { action: 'member.role_changed', actor_kind: 'system', before: { role: 'admin' }, after: { role: 'member', group: groups[0] } },
    { action: 'member.removed', actor_kind: 'system', before: { role: 'member', fromGroups: true }, after: { sessionsEnded: 3 } },
  ])
})

test('a sign-in without known groups changes no membership', async () => {
  const { teamId, groups } = await aTeamOf('member')
  const { id } = await aUser(services)
  await signIn(id, groups)
  await signIn(id)
  expect(await membershipOf(teamId, id)).toEqual({ role: 'member', fromGroups: true })
})

test('groups neither raise, lower nor end a membership made by hand; a role set by hand turns a membership from groups into one made by hand', async () => {
  const { teamId, groups } = await aTeamOf('owner', 'member')
  const { id } = await aUser(services)
  await setTeamMember(tool(), { teamId, userId: id, role: 'admin' })
  for (const claimed of [groups, groups.slice(1), []]) await signIn(id, claimed)
  expect(await membershipOf(teamId, id)).toEqual({ role: 'admin', fromGroups: false })

  const other = await aUser(services)
  await signIn(other.id, groups.slice(1))
  await setTeamMember(tool(), { teamId, userId: other.id, role: 'member' })
  await signIn(other.id, [])
  expect(await membershipOf(teamId, other.id)).toEqual({ role: 'member', fromGroups: false })
})

test('only another manager turns a membership from groups into one made by hand', async () => {
  const { teamId, groups } = await aTeamOf('admin')
  const [{ id }, other] = [await aUser(services), await aUser(services)]
  for (const userId of [id, other.id]) await signIn(userId, groups)
  const setAs = (userId: string, role: Role) => setTeamMember(aPersonContext(services, { userId }), { teamId, userId: id, role })
  for (const role of ['admin', 'member'] as const) await expect(setAs(id, role)).rejects.toMatchObject({ code: 'access_denied' })
  expect(await membershipOf(teamId, id)).toEqual({ role: 'admin', fromGroups: true })
  await setAs(other.id, 'admin')
  expect(await membershipOf(teamId, id)).toEqual({ role: 'admin', fromGroups: false })
  await setAs(id, 'member')
})

test('the last owner stays an owner without a group that gives the role, and loses it once there is another owner', async () => {
  const { teamId, owner, groups } = await aTeamOf('owner', 'member')
  const { id } = await aUser(services)
  await signIn(id, groups)
  await removeTeamMember(tool(), { teamId, userId: owner.id })
  for (const claimed of [groups.slice(1), []]) await signIn(id, claimed)
  expect(await membershipOf(teamId, id)).toEqual({ role: 'owner', fromGroups: true })
  expect(logged.filter(({ message }) => message.startsWith('the groups of the last owner'))).toHaveLength(2)
  await setTeamMember(tool(), { teamId, userId: owner.id, role: 'owner' })
  await signIn(id, groups.slice(1))
  expect(await membershipOf(teamId, id)).toEqual({ role: 'member', fromGroups: true })
})

test('two owners who lose their groups at the same moment leave the team one owner', async () => {
  const { teamId, owner, groups } = await aTeamOf('owner')
  const people = [await aUser(services), await aUser(services)]
  for (const { id } of people) await signIn(id, groups)
  await removeTeamMember(tool(), { teamId, userId: owner.id })
  await Promise.all(people.map(({ id }) => signIn(id, [])))
  const { rows } = await services.pool.query(`select role from memberships where team_id = $1`, [teamId])
  expect(rows).toEqual([{ role: 'owner' }])
})

test('concurrent sign-ins of one person with different groups leave the memberships of one of them', async () => {
  const first = await aTeamOf('admin')
  const second = await aTeamOf('member')
  const { id } = await aUser(services)
  const claims = [first.groups, second.groups, [...first.groups, ...second.groups], []]
  const opened = await Promise.all([...claims, ...claims].map((groups) => signIn(id, groups)))
  expect(opened.every((session) => session !== undefined)).toBe(true)
  await signIn(id, second.groups)
  expect([await membershipOf(first.teamId, id), await membershipOf(second.teamId, id)]).toEqual([
    null,
    { role: 'member', fromGroups: true },
  ])
})

test('a sign-in that is refused changes no membership', async () => {
  const { teamId, groups } = await aTeamOf('member')
  const { id } = await aUser(services)
  await services.pool.query('update users set deleted_at = present() where id = $1', [id])
  expect(await signIn(id, groups)).toBeUndefined()
  expect(await membershipOf(teamId, id)).toBeNull()
})

test('a person who leaves the last team through groups keeps only the new session; a person who moves between teams keeps all', async () => {
  const from = await aTeamOf('member')
  const to = await aTeamOf('member')
  const [leaving, moving] = [await aUser(services), await aUser(services)]
  for (const { id } of [leaving, moving]) await signIn(id, from.groups)
  const kept = await signIn(leaving.id, [])
  await signIn(moving.id, to.groups)
  expect(await sessionsOf(leaving.id)).toEqual([kept?.id])
  expect(await sessionsOf(moving.id)).toHaveLength(2)
})

test('groups give no membership in a deleted team', async () => {
  const { team, teamId, groups } = await aTeamOf('owner')
  await deleteTeam(tool(), { teamId, name: team.name })
  const { id } = await aUser(services)
  await signIn(id, groups)
  expect(await membershipOf(teamId, id)).toBeNull()
  expect((await services.pool.query('select from team_groups where team_id = $1', [teamId])).rowCount).toBe(0)
})
