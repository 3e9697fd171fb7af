import type { Locator } from 'playwright-core'
import { afterAll, expect, test } from 'vitest'
import { listMemberships } from '../../../../src/domain/access/teams/memberships.ts'
import { updateTeam } from '../../../../src/domain/access/teams/teams.ts'
import type { Role } from '../../../../src/entities/Membership.ts'
import { testApp } from '../../../support/app.ts'
import { expectAccessible, expectNoSidewaysScrolling, screenshot } from '../../../support/browser/browserChecks.ts'
import { aFullTeam, chooseRole, confirmDialog, dialog, openTeamPage, roleOf } from '../../../support/browser/teamPage.ts'
import { aServiceContext, aTeam, aUser } from '../../../support/factories.ts'

const app = await testApp({ clock: 'database' })
afterAll(app.close)
const { services } = app
const tool = aServiceContext(services)

async function rolesIn(teamId: string): Promise<Record<string, Role>> {
  const members = await listMemberships(aServiceContext(services), { teamId }, { limit: 50, fromTheEnd: false })
  return Object.fromEntries(members.map(({ userId, role }) => [userId, role]))
}

test('an owner assigns roles; the only owner sees why their role is fixed', async () => {
  const { team, owner, admin, member } = await aFullTeam(services)
  const page = await openTeamPage(app, team.id, owner)
  await page.getByText('This is the only owner. To change the role, make another member an owner first.').waitFor()
  expect(await roleOf(page, owner).count()).toBe(0)
  expect(await page.getByRole('button', { name: `Actions for ${owner.name}` }).count()).toBe(0)
  await expectAccessible(page)
  await screenshot(page, 'team')
  await chooseRole(page, member, 'Owner')
  await expectAccessible(page)
  await confirmDialog(page, `Make ${member.name} an owner?`, 'Change role')
  await roleOf(page, owner).waitFor()
  expect(await rolesIn(team.id)).toEqual({ [owner.id]: 'owner', [admin.id]: 'admin', [member.id]: 'owner' })
})

test('the dialog of a demotion shows the number of keys that stop', async () => {
  const { team, owner, admin } = await aFullTeam(services)
  const page = await openTeamPage(app, team.id, owner)
  await chooseRole(page, admin, 'Member')
  await dialog(page, `Make ${admin.name} a member?`).getByText('The 2 keys that they issued for the team stop working at once').waitFor()
  await page.getByRole('button', { name: 'Cancel' }).click()
  await dialog(page, `Make ${admin.name} a member?`).waitFor({ state: 'detached' })
  expect((await rolesIn(team.id))[admin.id]).toBe('admin')

  await page.getByRole('button', { name: `Actions for ${admin.name}` }).click()
  await page.getByRole('menuitem', { name: 'Remove from team' }).click()
  await dialog(page, `Remove ${admin.name}?`).getByText('The 2 keys that they issued').waitFor()
  await expectAccessible(page)
  await screenshot(page, 'team-remove')
  await confirmDialog(page, `Remove ${admin.name}?`, 'Remove from team')
  await page.getByText(admin.email).waitFor({ state: 'detached' })
  expect(await rolesIn(team.id)).not.toHaveProperty(admin.id)
})

test('an administrator can change administrators and members, but not owners', async () => {
  const { team, owner, admin, member, join } = await aFullTeam(services)
  const other = await join('admin')
  const page = await openTeamPage(app, team.id, admin)
  expect(await roleOf(page, owner).count()).toBe(0)
  expect(await page.getByRole('button', { name: `Actions for ${owner.name}` }).count()).toBe(0)
  await roleOf(page, admin).click()
  expect(await page.getByRole('option').allTextContents()).toEqual(['Administrator', 'Member'])
  await page.keyboard.press('Escape')
  await chooseRole(page, member, 'Administrator')
  await page.getByText(`${member.name} is an administrator now.`).waitFor()
  await chooseRole(page, other, 'Member')
  await page.getByText(`${other.name} is a member now.`).waitFor()
  expect(await rolesIn(team.id)).toMatchObject({ [owner.id]: 'owner', [member.id]: 'admin', [other.id]: 'member' })
})

test('a member can only read, and leave the team', async () => {
  const { team, owner, admin, member } = await aFullTeam(services)
  const page = await openTeamPage(app, team.id, member)
  expect(await page.getByRole('combobox').count()).toBe(0)
  expect(await page.getByRole('button', { name: 'Add member' }).count()).toBe(0)
  await page.getByText(owner.email).waitFor()
  expect(await page.getByRole('button', { name: `Actions for ${admin.name}` }).count()).toBe(0)
  await page.getByRole('heading', { name: 'Statement' }).waitFor()
  await screenshot(page, 'team-as-member')
  await page.getByRole('button', { name: `Actions for ${member.name}` }).click()
  await page.getByRole('menuitem', { name: 'Leave team' }).click()
  await dialog(page, `Leave ${team.name}?`).getByRole('button', { name: 'Leave team' }).click()
  await page.getByRole('heading', { name: 'Sign in', level: 1 }).waitFor()
  expect(await rolesIn(team.id)).not.toHaveProperty(member.id)
})

async function lowestOf(part: Locator): Promise<number> {
  const box = await part.boundingBox()
  return box === null ? Number.NaN : box.y + box.height
}

test('a person is invited by e-mail, and the link is shown once', async () => {
  const guest = 'grace.brewster.murray.hopper@engineering.example.test'
  const { team, owner } = await aFullTeam(services)
  const page = await openTeamPage(app, team.id, owner)
  await page.getByRole('button', { name: 'Add member' }).click()
  const adding = dialog(page, 'Add member')
  const invite = async (email: string) => {
    await adding.getByLabel('E-mail').fill(email)
    await adding.getByRole('button', { name: 'Save' }).click()
  }
  await expectAccessible(page)
  await screenshot(page, 'team-add')
  await invite('nobody')
  await adding.getByText('Enter an e-mail address.').waitFor()
  await invite(owner.email)
  await adding.getByText(`${owner.name} is an owner of this team already.`).waitFor()
  await adding.getByRole('radio', { name: 'Administrator' }).check()
  await invite(guest)
  expect(await adding.getByLabel('Invitation link').inputValue()).toMatch(/\/integrations\/invitation#ati_\w{49}$/)
  expect(await adding.getByRole('button', { name: 'Copy link' }).evaluate((button) => button === document.activeElement)).toBe(true)
  await expectAccessible(page)
  await screenshot(page, 'team-invited')
  await page.keyboard.press('Escape')
  await adding.getByText('You have not copied it').waitFor()
  await adding.getByRole('button', { name: 'Close without copying' }).click()
  await adding.waitFor({ state: 'detached' })

  const row = page.getByRole('region', { name: 'Invitations' }).getByRole('row', { name: guest })
  await row.getByText('Administrator').waitFor()
  await expectAccessible(page)
  const revoke = row.getByRole('button', { name: `Revoke the invitation for ${guest}` })
  await page.setViewportSize({ width: 390, height: 800 })
  await expect.poll(async () => (await lowestOf(row.getByText(guest))) <= ((await revoke.boundingBox())?.y ?? 0)).toBe(true)
  await expectNoSidewaysScrolling(page)
  await revoke.click()
  await confirmDialog(page, 'Revoke the invitation?', 'Revoke')
  await page.getByRole('heading', { name: 'Invitations' }).waitFor({ state: 'detached' })
  const { rows } = await services.pool.query('select id from auth.invitations where team_id = $1', [team.id])
  expect(rows).toEqual([])
})

test('of two owners who step down at the same time one stays, and sees why', async () => {
  const { team, owner, join } = await aFullTeam(services)
  const other = await join('owner')
  const pages = [await openTeamPage(app, team.id, owner), await openTeamPage(app, team.id, other)] as const
  await chooseRole(pages[0], owner, 'Member')
  await chooseRole(pages[1], other, 'Member')
  const answers = await Promise.all(
    pages.map(async (page) => {
      await page.getByRole('dialog', { name: 'Become a member?' }).getByRole('button', { name: 'Change role' }).click()
      const done = page.getByText('You are a member now.')
      const refused = page.getByRole('alert').getByText('A team needs at least one owner. Make another person an owner first.')
      await done.or(refused).waitFor()
      const isRefused = (await refused.count()) > 0
      // The reason stays when the list is read again, which then has one owner.
      if (isRefused) await page.getByText('This is the only owner.').waitFor()
      if (isRefused) await refused.waitFor()
      return isRefused ? 0 : 1
    }),
  )
  expect(answers.toSorted((one, two) => one - two)).toEqual([0, 1])
  expect(Object.values(await rolesIn(team.id)).filter((role) => role === 'owner')).toHaveLength(1)
})

test('the server refuses actions that the page does not offer', async () => {
  const { team, owner, admin, member } = await aFullTeam(services)
  const page = await openTeamPage(app, team.id, admin)
  const refusal = (mutation: string) =>
    page.evaluate(async (query) => {
      const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ query }) }
      const { errors } = (await (await fetch('/graphql', init)).json()) as { errors?: { extensions: { code: string } }[] }
      return errors?.[0]?.extensions.code
    }, `mutation { ${mutation} }`)
  const set = (userId: string, role: string) =>
    refusal(`setTeamMember(input: { teamId: "${team.id}", userId: "${userId}", role: ${role} }) { role }`)
  expect(await set(admin.id, 'OWNER')).toBe('access_denied')
  expect(await set(owner.id, 'MEMBER')).toBe('access_denied')
  expect(await set(member.id, 'OWNER')).toBe('access_denied')
  expect(await refusal(`removeTeamMember(input: { teamId: "${team.id}", userId: "${owner.id}" })`)).toBe('access_denied')
  const added = (await aUser(services)).email
  expect(await refusal(`addTeamMember(input: { teamId: "${team.id}", email: "${added}", role: MEMBER }) { added }`)).toBe('access_denied')
  expect(await refusal(`inviteMember(input: { teamId: "${team.id}", email: "${added}", role: OWNER }) { url }`)).toBe('access_denied')
  const grant = `grantCredits(input: { teamId: "${team.id}", credits: 5, note: "", idempotencyKey: "own" }) { creditsAvailable }`
  expect(await refusal(grant)).toBe('access_denied')
  expect(await refusal(`updateTeam(input: { id: "${team.id}", blocked: false }) { id }`)).toBe('access_denied')
  expect(await refusal(`updateUser(input: { id: "${admin.id}", subscriptionActive: true }) { id }`)).toBe('access_denied')
  expect(await rolesIn(team.id)).toEqual({ [owner.id]: 'owner', [admin.id]: 'admin', [member.id]: 'member' })
})

test.each([
  [{ blocked: true }, 'This team is blocked'],
  [{ externalAccess: false }, 'External access is switched off'],
  [{ planExpiresAt: new Date('2026-01-01T00:00:00.000Z') }, 'The plan ended'],
])('a team with %j sees the meaning, and whom to ask', async (change, words) => {
  const { team, user } = await aTeam(services)
  await updateTeam(tool, { id: team.id, ...change })
  const page = await openTeamPage(app, team.id, user)
  const plan = page.getByRole('region', { name: 'Plan' })
  await plan.getByText(words).waitFor()
  await plan.getByText('Ask the operator of this service.').waitFor()
  await expectAccessible(page)
})

test('on a phone nothing overflows, and hostile names are rendered as plain text', async () => {
  const { team, owner } = await aFullTeam(services)
  const name = `<img src=x onerror=alert(1)> ${'w'.repeat(70)}`
  await services.pool.query('update users set name = $2 where id = $1', [owner.id, name])
  const page = await openTeamPage(app, team.id, owner, { viewport: { width: 360, height: 740 } })
  await page.getByText(name).first().waitFor()
  await expectNoSidewaysScrolling(page)
  await expectAccessible(page)
})
