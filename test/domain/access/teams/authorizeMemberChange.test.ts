import { afterAll, expect, test } from 'vitest'
import { listMemberships, removeTeamMember, setTeamMember } from '../../../../src/domain/access/teams/memberships.ts'
import { type Context, contextFor } from '../../../../src/domain/context.ts'
import { refusalOf } from '../../../../src/domain/sql.ts'
import { type Role, roles } from '../../../../src/entities/Membership.ts'
import { aServiceContext, aTeam, aUser } from '../../../support/factories.ts'
import { refused } from '../../../support/refused.ts'
import { testServices } from '../../../support/services.ts'

const { services, close } = await testServices()
afterAll(close)

const tool = aServiceContext(services)
const as = (userId: string): Context => contextFor(services, { kind: 'person', userId })

/** A team with one owner and one person of each role; `of` has their identifiers. */
async function aFullTeam() {
  const { team, user } = await aTeam(services)
  const join = async (role: Role) => {
    const { id: userId } = await aUser(services)
    await setTeamMember(tool, { teamId: team.id, userId, role })
    return userId
  }
  const of = { owner: user.id, admin: await join('admin'), member: await join('member') }
  return { teamId: team.id, of, join }
}

async function rolesIn(teamId: string): Promise<Record<string, Role>> {
  const members = await listMemberships(aServiceContext(services), { teamId }, { limit: 50, fromTheEnd: false })
  return Object.fromEntries(members.map(({ userId, role }) => [userId, role]))
}

/** The code of the refusal, or `done`. */
async function codeOf(change: Promise<unknown>): Promise<string> {
  const ended = await change.then(() => undefined, refusalOf)
  return ended?.code ?? 'done'
}

const asked = roles.flatMap((own) => roles.flatMap((from) => [...roles, null].map((to) => ({ own, from, to }))))

test.each(asked)('$own may change $from to $to only if $own may assign both roles', async ({ own, from, to }) => {
  const { teamId, of, join } = await aFullTeam()
  const userId = await join(from)
  const change = to === null ? removeTeamMember(as(of[own]), { teamId, userId }) : setTeamMember(as(of[own]), { teamId, userId, role: to })
  const may = own === 'owner' || (own === 'admin' && from !== 'owner' && to !== 'owner')
  expect(await codeOf(change)).toBe(may ? 'done' : 'access_denied')
  expect((await rolesIn(teamId))[userId]).toBe(may ? (to ?? undefined) : from)
})

test.each([
  ['admin', 'owner'],
  ['member', 'admin'],
  ['member', 'owner'],
] as const)('raising oneself from %s to %s is refused', async (own, role) => {
  const { teamId, of } = await aFullTeam()
  expect(await refused(setTeamMember(as(of[own]), { teamId, userId: of[own], role }))).toMatchObject({ code: 'access_denied' })
  expect((await rolesIn(teamId))[of[own]]).toBe(own)
})

test.each([
  ['owner', 'access_denied'],
  ['admin', 'done'],
  ['member', 'done'],
] as const)('an administrator who adds a new %s gets %s', async (role, code) => {
  const { teamId, of } = await aFullTeam()
  const { id: userId } = await aUser(services)
  expect(await codeOf(setTeamMember(as(of.admin), { teamId, userId, role }))).toBe(code)
})

test('a member of another team, and a person without a team, change nothing', async () => {
  const { teamId, of } = await aFullTeam()
  const { user: foreign } = await aTeam(services)
  for (const userId of [foreign.id, (await aUser(services)).id]) {
    expect(await refused(setTeamMember(as(userId), { teamId, userId: of.member, role: 'admin' }))).toMatchObject({ code: 'access_denied' })
    expect(await refused(setTeamMember(as(userId), { teamId, userId, role: 'owner' }))).toMatchObject({ code: 'access_denied' })
    expect(await refused(removeTeamMember(as(userId), { teamId, userId: of.member }))).toMatchObject({ code: 'access_denied' })
  }
})

test('everybody may leave, and a former member changes nothing', async () => {
  const { teamId, of } = await aFullTeam()
  for (const own of ['member', 'admin'] as const) {
    expect(await removeTeamMember(as(of[own]), { teamId, userId: of[own] })).toBe(true)
    expect(await removeTeamMember(as(of[own]), { teamId, userId: of[own] })).toBe(false)
  }
  expect(await refused(setTeamMember(as(of.admin), { teamId, userId: of.admin, role: 'admin' }))).toMatchObject({ code: 'access_denied' })
  expect(await rolesIn(teamId)).toEqual({ [of.owner]: 'owner' })
})

test('the last owner can neither leave nor lose the role, and may set their own role again', async () => {
  const { teamId, of } = await aFullTeam()
  const own = as(of.owner)
  for (const role of ['admin', 'member'] as const)
    expect(await refused(setTeamMember(own, { teamId, userId: of.owner, role }))).toMatchObject({ code: 'access_denied' })
  expect(await refused(removeTeamMember(own, { teamId, userId: of.owner }))).toMatchObject({ code: 'access_denied' })
  expect(await setTeamMember(own, { teamId, userId: of.owner, role: 'owner' })).toMatchObject({ role: 'owner' })
})

test('when all owners step down concurrently, one stays', async () => {
  const { teamId, of, join } = await aFullTeam()
  const owners = [of.owner, await join('owner'), await join('owner'), await join('owner')]
  const steps = owners.map((userId, place) =>
    place % 2 === 0 ? setTeamMember(as(userId), { teamId, userId, role: 'member' }) : removeTeamMember(as(userId), { teamId, userId }),
  )
  const ended = await Promise.allSettled(steps)
  expect(ended.filter(({ status }) => status === 'fulfilled')).toHaveLength(3)
  expect(Object.values(await rolesIn(teamId)).filter((role) => role === 'owner')).toHaveLength(1)
})

test('when two owners demote each other concurrently, one stays owner', async () => {
  const { teamId, of, join } = await aFullTeam()
  const other = await join('owner')
  await Promise.allSettled([
    setTeamMember(as(of.owner), { teamId, userId: other, role: 'member' }),
    setTeamMember(as(other), { teamId, userId: of.owner, role: 'member' }),
  ])
  expect(Object.values(await rolesIn(teamId)).filter((role) => role === 'owner')).toHaveLength(1)
})
