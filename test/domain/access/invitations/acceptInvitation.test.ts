import { randomUUID } from 'node:crypto'
import { afterAll, expect, test } from 'vitest'
import { acceptAsNewcomer, acceptInvitation } from '../../../../src/domain/access/invitations/acceptInvitation.ts'
import { inviteMember } from '../../../../src/domain/access/invitations/inviteMember.ts'
import { createServiceToken, revokeServiceToken } from '../../../../src/domain/access/serviceTokens.ts'
import { removeTeamMember, setTeamMember } from '../../../../src/domain/access/teams/memberships.ts'
import { rolesOf } from '../../../../src/domain/access/teams/rolesOf.ts'
import { type Context, contextFor } from '../../../../src/domain/context.ts'
import type { Role } from '../../../../src/entities/Membership.ts'
import { aServiceContext, aTeam, aUser } from '../../../support/factories.ts'
import { aMember, aPersonContext } from '../../../support/people/sessions.ts'
import { issueOf, refused } from '../../../support/refused.ts'
import { testServices } from '../../../support/services.ts'

const { services, close } = await testServices()
afterAll(close)
const tool = aServiceContext(services)
const browser = contextFor(services, { kind: 'system' })
const password = 'correct horse battery'

async function anInvitation({
  role = 'member',
  email = `${randomUUID()}@example.test`,
  from,
}: {
  role?: Role
  email?: string
  from?: Context
} = {}) {
  const { team, user } = await aTeam(services)
  const sent = await inviteMember(from ?? aPersonContext(services, { userId: user.id }), { teamId: team.id, email, role })
  return { teamId: team.id, owner: user, email, token: sent.url?.split('#')[1] ?? '' }
}

test('a person with the invited address joins with the invited role, once', async () => {
  const user = await aUser(services)
  const { token, teamId } = await anInvitation({ role: 'admin', email: user.email.toUpperCase() })
  const accept = () => acceptInvitation(browser, { token, userId: user.id })
  const outcomes = await Promise.allSettled([accept(), accept(), accept()])
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  expect(await rolesOf(tool, user.id)).toEqual(new Map([[teamId, 'admin']]))
  expect(await refused(accept())).toMatchObject({ code: 'not_found' })
})

test('a person with another address cannot use the link, and it stays open', async () => {
  const { token, email } = await anInvitation()
  const other = await aUser(services)
  expect(await refused(acceptInvitation(browser, { token, userId: other.id }))).toMatchObject({ code: 'access_denied' })
  expect(await acceptAsNewcomer(browser, { token, name: 'Ada', password })).toMatchObject({ teamId: expect.any(String) })
  const { rows } = await services.pool.query('select name, email_verified from users where email = $1', [email])
  expect(rows).toEqual([{ name: 'Ada', email_verified: false }])
})

test('of many newcomers with one link one gets an account', async () => {
  const { token, email } = await anInvitation()
  const accept = () => acceptAsNewcomer(browser, { token, name: 'Ada', password })
  const outcomes = await Promise.allSettled([accept(), accept(), accept()])
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  const { rows } = await services.pool.query('select id from users where email = $1', [email])
  expect(rows).toHaveLength(1)
})

test('a link cannot set the password of an account that exists', async () => {
  const user = await aUser(services, { password })
  const { token } = await anInvitation({ email: user.email })
  expect(await issueOf(acceptAsNewcomer(browser, { token, name: 'Eve', password: 'of the thief' }))).toBe('email: conflict')
  expect(await rolesOf(tool, user.id)).toEqual(new Map())
})

test('a newcomer needs a name and a password of 8 characters, and nothing is made otherwise', async () => {
  const { token, email } = await anInvitation()
  expect(await issueOf(acceptAsNewcomer(browser, { token, name: ' ', password }))).toBe('name: too_small')
  expect(await issueOf(acceptAsNewcomer(browser, { token, name: 'Ada', password: 'short' }))).toBe('password: too_small')
  expect((await services.pool.query('select id from users where email = $1', [email])).rows).toEqual([])
})

test('a refused password, and an inviter without the right, do not tell whether the address has an account', async () => {
  const { email } = await aUser(services)
  for (const { token, teamId, owner } of [await anInvitation(), await anInvitation({ email })]) {
    expect(await issueOf(acceptAsNewcomer(browser, { token, name: 'Ada', password: 'short' }))).toBe('password: too_small')
    await aMember(services, { teamId, role: 'owner' })
    await removeTeamMember(tool, { teamId, userId: owner.id })
    expect(await refused(acceptAsNewcomer(browser, { token, name: 'Ada', password }))).toMatchObject({ code: 'access_denied' })
  }
})

test('a present member keeps their role', async () => {
  const { team, user: owner } = await aTeam(services)
  const admin = await aMember(services, { teamId: team.id, role: 'admin' })
  const { url } = await inviteMember(aPersonContext(services, { userId: admin.id }), {
    teamId: team.id,
    email: owner.email,
    role: 'member',
  })
  await acceptInvitation(browser, { token: url?.split('#')[1] ?? '', userId: owner.id })
  expect((await rolesOf(tool, owner.id)).get(team.id)).toBe('owner')
})

test.each([
  ['left the team', (teamId: string, userId: string) => removeTeamMember(tool, { teamId, userId })],
  ['became a member', (teamId: string, userId: string) => setTeamMember(tool, { teamId, userId, role: 'member' })],
])('an invitation of a person who %s does not work', async (_words, change) => {
  const { teamId, owner, token, email } = await anInvitation()
  await aMember(services, { teamId, role: 'owner' })
  await change(teamId, owner.id)
  expect(await refused(acceptAsNewcomer(browser, { token, name: 'Ada', password }))).toMatchObject({ code: 'access_denied' })
  expect((await services.pool.query('select id from users where email = $1', [email])).rows).toEqual([])
})

test('an owner who became an administrator no longer invites owners', async () => {
  const { teamId, owner, token } = await anInvitation({ role: 'owner' })
  await aMember(services, { teamId, role: 'owner' })
  await setTeamMember(tool, { teamId, userId: owner.id, role: 'admin' })
  expect(await refused(acceptAsNewcomer(browser, { token, name: 'Ada', password }))).toMatchObject({ code: 'access_denied' })
})

test('an invitation of a service token works until the token is revoked', async () => {
  const { token: named } = await createServiceToken(tool, { name: 'onboarding', readOnly: false })
  const from = contextFor(services, { kind: 'service', token: { id: named.id, readOnly: false, teamIds: null } })
  const [first, second] = [await anInvitation({ from }), await anInvitation({ from })]
  expect(await acceptAsNewcomer(browser, { token: first.token, name: 'Ada', password })).toMatchObject({ teamId: first.teamId })
  await revokeServiceToken(tool, named.id)
  expect(await refused(acceptAsNewcomer(browser, { token: second.token, name: 'Ada', password }))).toMatchObject({ code: 'access_denied' })
})

test('a mailed link verifies the address', async () => {
  let text = ''
  const mailer = { send: async (mail: { text: string }) => void (text = mail.text) }
  const { email } = await anInvitation({ from: { ...tool, mailer } })
  await acceptAsNewcomer(browser, { token: /#(ati_\w+)/.exec(text)?.[1] ?? '', name: 'Ada', password })
  const { rows } = await services.pool.query('select email_verified from users where email = $1', [email])
  expect(rows).toEqual([{ email_verified: true }])
})
