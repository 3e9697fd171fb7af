import { afterAll, expect, test } from 'vitest'
import { addTeamMember } from '../../../../src/domain/access/teams/addTeamMember.ts'
import { setTeamMember } from '../../../../src/domain/access/teams/memberships.ts'
import { type Context, contextFor } from '../../../../src/domain/context.ts'
import { aServiceContext, aTeam, aUser } from '../../../support/factories.ts'
import { issueOf, refused } from '../../../support/refused.ts'
import { testServices } from '../../../support/services.ts'

const { services, close } = await testServices()
afterAll(close)

const tool = aServiceContext(services)
const as = (userId: string): Context => contextFor(services, { kind: 'person', userId })

async function aTeamWithAdmin() {
  const { team, user } = await aTeam(services)
  const admin = await aUser(services)
  await setTeamMember(tool, { teamId: team.id, userId: admin.id, role: 'admin' })
  return { teamId: team.id, owner: user, admin }
}

test('a person is found by e-mail address, case-insensitive and trimmed', async () => {
  const { teamId, admin } = await aTeamWithAdmin()
  const somebody = await aUser(services)
  const email = ` ${somebody.email.toUpperCase()} `
  expect(await addTeamMember(as(admin.id), { teamId, email, role: 'member' })).toMatchObject({
    added: true,
    membership: { teamId, userId: somebody.id, role: 'member' },
  })
})

test('a present member keeps their role when added again', async () => {
  const { teamId, owner, admin } = await aTeamWithAdmin()
  const again = (context: Context) => addTeamMember(context, { teamId, email: owner.email, role: 'member' })
  expect(await again(as(admin.id))).toMatchObject({ added: false, membership: { role: 'owner' } })
  expect(await again(tool)).toMatchObject({ added: false, membership: { role: 'owner' } })
})

test('of concurrent calls that add the same person, one adds them', async () => {
  const { teamId, owner } = await aTeamWithAdmin()
  const { email } = await aUser(services)
  const added = await Promise.all([1, 2, 3].map(() => addTeamMember(as(owner.id), { teamId, email, role: 'admin' })))
  expect(added.filter((one) => one.added)).toHaveLength(1)
})

test.each(['nobody@example.test', '', 'person\0@example.test', '%', 'x'.repeat(5000)])(
  'the unknown address %j is refused',
  async (email) => {
    const { teamId, owner } = await aTeamWithAdmin()
    expect(await issueOf(addTeamMember(as(owner.id), { teamId, email, role: 'member' }))).toBe('email: not_allowed')
  },
)

test('an administrator cannot add an owner, and the refusal does not reveal whether the address is known', async () => {
  const { teamId, admin } = await aTeamWithAdmin()
  for (const email of [(await aUser(services)).email, 'nobody@example.test'])
    expect(await refused(addTeamMember(as(admin.id), { teamId, email, role: 'owner' }))).toEqual({
      code: 'access_denied',
      details: { cause: 'role' },
    })
})

test('members and strangers add nobody, and get the same refusal for known and unknown addresses', async () => {
  const { teamId } = await aTeamWithAdmin()
  const member = await aUser(services)
  await setTeamMember(tool, { teamId, userId: member.id, role: 'member' })
  for (const userId of [member.id, (await aTeam(services)).user.id]) {
    for (const email of [member.email, (await aUser(services)).email, 'nobody@example.test'])
      expect(await refused(addTeamMember(as(userId), { teamId, email, role: 'member' }))).toMatchObject({ code: 'access_denied' })
  }
})
