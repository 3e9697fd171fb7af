import { afterAll, expect, test } from 'vitest'
import { recordGroupsClaim } from '../../../../src/domain/access/sessions/groupsClaims.ts'
import { setTeamGroup } from '../../../../src/domain/access/teams/teamGroups.ts'
import { testApp } from '../../../support/app.ts'
import { expectAccessible, expectNoSidewaysScrolling, screenshot } from '../../../support/browser/browserChecks.ts'
import { aFullTeam, confirmDialog, dialog, openTeamPage } from '../../../support/browser/teamPage.ts'
import { aServiceContext } from '../../../support/factories.ts'

const provider = { name: 'Studio ID', issuer: 'https://id.example.com', claim: 'realm.groups' }
const app = await testApp({ clock: 'database', settings: { groupProvider: provider } })
afterAll(app.close)
const tool = aServiceContext(app.services)

test('an owner is told that the last sign-in carried no usable claim, until one does', async () => {
  const { team, owner } = await aFullTeam(app.services)
  await setTeamGroup(tool, { teamId: team.id, group: '/studio/leads', role: 'admin' })
  await recordGroupsClaim(tool, provider, 'missing')
  const page = await openTeamPage(app, team.id, owner)
  const notice = page.getByRole('region', { name: 'Groups' }).getByRole('alert')
  expect(await notice.innerText()).toMatch(/The last sign-in at Studio ID, .+, carried no claim realm\.groups\./)
  await expectAccessible(page)
  await screenshot(page, 'team-groups-claim')

  await recordGroupsClaim(tool, provider, 'malformed')
  await page.reload()
  await notice.getByText('carried something other than a list of names as the claim').waitFor()
  await recordGroupsClaim(tool, provider, 'read')
  await page.reload()
  await page.getByText('People of these groups at Studio ID').waitFor()
  expect(await notice.count()).toBe(0)
})

const groupsOf = async (teamId: string) =>
  (await app.services.pool.query('select name, role from team_groups where team_id = $1 order by name', [teamId])).rows

test('an owner gives a group a role, changes it and removes it, by keyboard', async () => {
  const { team, owner } = await aFullTeam(app.services)
  const page = await openTeamPage(app, team.id, owner)
  const section = page.getByRole('region', { name: 'Groups' })
  await section.getByText('People of these groups at Studio ID').waitFor()
  await section.getByLabel('Group', { exact: true }).focus()
  await page.keyboard.type('/studio/leads')
  await page.keyboard.press('Tab')
  await page.keyboard.press('ArrowDown')
  await page.getByRole('option', { name: 'Administrator' }).click()
  await section.getByRole('button', { name: 'Add group' }).focus()
  await page.keyboard.press('Enter')
  const row = section.getByRole('row', { name: '/studio/leads' })
  await row.waitFor()
  expect(await groupsOf(team.id)).toEqual([{ name: '/studio/leads', role: 'admin' }])
  await expectAccessible(page)

  await row.getByRole('combobox', { name: 'Role of the group /studio/leads' }).click()
  await page.getByRole('option', { name: 'Owner', exact: true }).click()
  await page.getByText('The group gives the role Owner from the next sign-in on.').waitFor()
  expect(await groupsOf(team.id)).toEqual([{ name: '/studio/leads', role: 'owner' }])

  await row.getByRole('button', { name: 'Actions for the group /studio/leads' }).focus()
  await page.keyboard.press('Enter')
  await page.getByRole('menuitem', { name: 'Remove group' }).press('Enter')
  await dialog(page, 'Remove the group?').getByText('lose it at their next sign-in').waitFor()
  await expectAccessible(page)
  await confirmDialog(page, 'Remove the group?', 'Remove group')
  await row.waitFor({ state: 'detached' })
  expect(await groupsOf(team.id)).toEqual([])
})

test('a refused group keeps what was typed; long names fit a phone', async () => {
  const { team, owner } = await aFullTeam(app.services)
  const name = 'x'.repeat(200)
  await setTeamGroup(tool, { teamId: team.id, group: name, role: 'member' })
  await setTeamGroup(tool, { teamId: team.id, group: '8f3c1a52-0f7e-4a8e-9f4a-1d2b3c4d5e6f', role: 'admin' })
  const page = await openTeamPage(app, team.id, owner, { viewport: { width: 390, height: 844 } })
  const section = page.getByRole('region', { name: 'Groups' })
  await section.getByLabel('Group', { exact: true }).fill('y'.repeat(201))
  await section.getByRole('button', { name: 'Add group' }).click()
  await section.getByText('Takes at most 200 characters.').waitFor()
  expect(await section.getByLabel('Group', { exact: true }).inputValue()).toBe('y'.repeat(201))
  await expectNoSidewaysScrolling(page)
  await expectAccessible(page)
  await screenshot(page, 'team-groups')
})

test('a member from a group is marked, and cannot change the own role; administrators see no groups', async () => {
  const { team, admin, member } = await aFullTeam(app.services)
  await app.services.pool.query('update memberships set from_groups = true where user_id = any ($1)', [[admin.id, member.id]])
  const page = await openTeamPage(app, team.id, admin)
  await page.getByRole('row', { name: member.name }).getByText('From a group').waitFor()
  await page.getByRole('heading', { name: 'Statement' }).waitFor()
  await page.getByLabel(`Role of ${member.name}`).first().waitFor()
  expect(await page.getByLabel(`Role of ${admin.name}`).count()).toBe(0)
  expect(await page.getByRole('region', { name: 'Groups' }).count()).toBe(0)
})
