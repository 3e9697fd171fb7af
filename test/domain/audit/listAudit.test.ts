import { afterAll, expect, test } from 'vitest'
import { revokeInvitation } from '../../../src/domain/access/invitations/invitations.ts'
import { inviteMember } from '../../../src/domain/access/invitations/inviteMember.ts'
import { issueKey } from '../../../src/domain/access/keys/issueKey.ts'
import { updateKey } from '../../../src/domain/access/keys/updateKey.ts'
import { type AuditFilter, isAuditPlace, type ListedEntry, listAudit } from '../../../src/domain/audit/listAudit.ts'
import { aServiceContext, aTeam, aTeamWithKey } from '../../support/factories.ts'
import { aPersonContext } from '../../support/people/sessions.ts'
import { testServices } from '../../support/services.ts'

const { services, clock, close } = await testServices()
afterAll(close)
const tool = aServiceContext(services)

/** Reads all pages in both directions. */
async function allOf(filter: AuditFilter, fromTheEnd: boolean): Promise<ListedEntry[]> {
  const found: ListedEntry[] = []
  for (;;) {
    const last = found.at(-1)?.place
    const page = await listAudit(tool, filter, { limit: 3, fromTheEnd, ...(fromTheEnd ? { before: last } : { after: last }) })
    if (page.length === 0) return found
    found.push(...page)
  }
}

test('pages list each entry once in both directions, even when many entries have the same time', async () => {
  const { team, user } = await aTeamWithKey(services)
  const person = aPersonContext(services, { userId: user.id })
  for (let index = 0; index < 8; index += 1) {
    if (index % 4 === 0) await clock.advance(1000)
    await issueKey(person, { teamId: team.id, name: `key ${index}`, scopes: ['catalog:read'] })
  }
  const all = await allOf({ teamId: team.id }, false)
  expect(all).toHaveLength(12)
  expect(new Set(all.map(({ id }) => id)).size).toBe(12)
  expect(await allOf({ teamId: team.id }, true)).toEqual(all.toReversed())
  expect(all.map(({ at, id }) => [at.getTime(), Number(id)])).toEqual(
    all.map(({ at, id }) => [at.getTime(), Number(id)] as const).toSorted(([at, id], [otherAt, otherId]) => otherAt - at || otherId - id),
  )
  expect(all.every(({ place }) => isAuditPlace(place))).toBe(true)
  expect((await allOf({ teamId: team.id, actorId: user.id }, false)).map(({ action }) => action)).toEqual(Array(8).fill('key.issued'))
  expect(await allOf({ teamId: team.id, since: clock.now() }, false)).toHaveLength(4)
  expect(await allOf({ teamId: team.id, until: clock.now() }, false)).toHaveLength(8)
})

test('teams and open invitations have names', async () => {
  const { team, user } = await aTeam(services)
  const person = aPersonContext(services, { userId: user.id })
  const { invitation } = await inviteMember(person, { teamId: team.id, email: 'grace@example.test', role: 'admin' })
  const nameOf = async (subjectId: string) => (await allOf({ teamId: team.id, subjectId }, false)).map(({ subjectName }) => subjectName)
  expect(await nameOf(team.id)).toContain(team.name)
  expect(await nameOf(invitation.id)).toEqual(['grace@example.test'])
  await revokeInvitation(person, { teamId: team.id, id: invitation.id })
  expect(await nameOf(invitation.id)).toEqual([null, null])
})

test('filters select one subject and one action, across all teams without a team filter', async () => {
  const { team, user, key } = await aTeamWithKey(services)
  const other = await aTeamWithKey(services)
  await updateKey(aPersonContext(services, { userId: user.id }), { id: key.id, name: 'renamed', dailyLimitCredits: 7.5 })
  await updateKey(tool, { id: other.key.id, dailyLimitCredits: 1 })
  const [changed, issued, ...none] = await allOf({ subjectId: key.id }, false)
  expect(changed).toMatchObject({
    action: 'key.updated',
    teamId: team.id,
    before: { dailyLimitCredits: null },
    after: { dailyLimitCredits: 7.5, changed: ['name'] },
    subjectName: 'renamed',
  })
  expect([issued?.action, none]).toEqual(['key.issued', []])
  expect((await allOf({ action: 'key.updated' }, false)).map(({ teamId }) => teamId)).toEqual([other.team.id, team.id])
  expect((await allOf({ teamId: team.id, action: 'key.updated' }, false)).map(({ subjectId }) => subjectId)).toEqual([key.id])
})
