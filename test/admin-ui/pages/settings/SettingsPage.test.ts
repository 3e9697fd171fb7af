import { afterAll, expect, test } from 'vitest'
import { setTeamRetention, teamRetentions } from '../../../../src/domain/access/teams/teamRetention.ts'
import { findTeam } from '../../../../src/domain/access/teams/teams.ts'
import { testApp } from '../../../support/app.ts'
import { aBrowserPage } from '../../../support/browser/browser.ts'
import { expectAccessible, expectNoSidewaysScrolling, screenshot } from '../../../support/browser/browserChecks.ts'
import { aServiceContext, aTeam } from '../../../support/factories.ts'
import { aMember } from '../../../support/people/sessions.ts'

const app = await testApp({ clock: 'database' })
afterAll(app.close)
const { services } = app
const tool = aServiceContext(services)
const retentionOf = async (teamId: string) => (await teamRetentions(tool, [teamId]))[0]

test('an administrator sets the retention by keyboard, after a warning about permanent deletion', async () => {
  const { team } = await aTeam(services)
  const admin = await aMember(services, { teamId: team.id, role: 'admin' })
  const page = await aBrowserPage(app, { as: admin, at: `/integrations/${team.id}/settings` })
  const [media, history] = [page.getByLabel('Keep media'), page.getByLabel('Keep history')]
  await media.waitFor()
  expect([await media.inputValue(), await history.inputValue(), await history.getAttribute('placeholder')]).toEqual(['', '', 'Forever'])
  await expectAccessible(page)
  await screenshot(page, 'settings')

  await media.focus()
  await page.keyboard.type('60')
  await page.keyboard.press('Tab')
  await page.keyboard.type('30')
  await page.keyboard.press('Enter')
  await page.getByText('Media are deleted with their generation, after 30 days at the latest.').waitFor()
  await expectAccessible(page)
  await media.fill('7')
  await page.keyboard.press('Enter')
  const asked = page.getByRole('dialog', { name: 'Delete older data?' })
  await asked.getByText('Results of work that ended more than 7 days ago are deleted').waitFor()
  await asked.getByText('Generations that ended more than 30 days ago are deleted').waitFor()
  expect(await retentionOf(team.id)).toEqual({ mediaDays: null, historyDays: null })
  await expectAccessible(page)
  await screenshot(page, 'settings-shorter')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await page.getByText('The retention was saved.').waitFor()
  await asked.waitFor({ state: 'detached' })
  expect(await retentionOf(team.id)).toEqual({ mediaDays: 7, historyDays: 30 })

  // A longer retention is saved without a confirmation.
  await history.fill('')
  await history.press('Enter')
  await expect.poll(() => retentionOf(team.id)).toEqual({ mediaDays: 7, historyDays: null })
  expect(await asked.count()).toBe(0)
  await page.reload()
  await media.waitFor()
  expect([await media.inputValue(), await history.inputValue()]).toEqual(['7 days', ''])
  await page.getByText('Only an owner may do that.').waitFor()
  expect(await page.getByRole('button', { name: 'Delete team' }).count()).toBe(0)
})

test('an administrator sets the threshold of low credits, which the overview warns of', async () => {
  const { team } = await aTeam(services, { credits: 50 })
  const admin = await aMember(services, { teamId: team.id, role: 'admin' })
  const page = await aBrowserPage(app, { as: admin, at: `/integrations/${team.id}/settings`, viewport: { width: 390, height: 800 } })
  const field = page.getByLabel('Warn below')
  await field.fill('60.5')
  await field.press('Enter')
  await page.getByText('Saved.').waitFor()
  await expectNoSidewaysScrolling(page)
  await page.goto(`/integrations/${team.id}/overview`)
  await page.getByText('Only 50 credits left').waitFor()
  await page.goto(`/integrations/${team.id}/settings`)
  await expect.poll(() => field.inputValue()).toBe('60.5')
  await field.fill('')
  await page.getByRole('button', { name: 'Save threshold' }).click()
  await page.getByText('Saved.').waitFor()
  await page.goto(`/integrations/${team.id}/overview`)
  await page.getByText('Nothing: no webhook fails').waitFor()
})

test('the page asks once before unsaved changes of several cards are lost, and each card saves its own', async () => {
  const { team, user } = await aTeam(services)
  const page = await aBrowserPage(app, { as: user, at: `/integrations/${team.id}/team` })
  await page.getByRole('link', { name: 'Settings', exact: true }).click()
  const save = (what: string) => page.getByRole('button', { name: `Save ${what}` })
  const asked = page.getByRole('dialog', { name: 'Leave without saving?' })
  const [below, media] = [page.getByLabel('Warn below'), page.getByLabel('Keep media')]
  await below.waitFor()
  for (const what of ['runs', 'threshold', 'retention']) expect(await save(what).isDisabled()).toBe(true)
  await below.fill('5')
  await media.fill('30')
  await page.getByRole('link', { name: 'Team', exact: true }).click()
  await asked.getByText('Unsaved changes: Low credits, Retention.').waitFor()
  await expectAccessible(page)
  await screenshot(page, 'settings-unsaved')
  await page.keyboard.press('Enter')
  await asked.waitFor({ state: 'detached' })
  expect([await below.inputValue(), await media.inputValue()]).toEqual(['5', '30 days'])

  // A dialog of the page has a question of its own, and Back closes the dialog.
  await media.press('Enter')
  const confirming = page.getByRole('dialog', { name: 'Delete older data?' })
  await confirming.waitFor()
  await page.goBack()
  await confirming.waitFor({ state: 'detached' })
  expect(await asked.count()).toBe(0)

  await below.press('Enter')
  await page.getByText('Saved.').waitFor()
  expect([await save('threshold').isDisabled(), await save('retention').isDisabled()]).toEqual([true, false])
  await page.getByRole('link', { name: 'Team', exact: true }).press('Enter')
  await asked.getByText('Unsaved changes: Retention.').waitFor()
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Team', level: 1 }).waitFor()
  expect(await retentionOf(team.id)).toEqual({ mediaDays: null, historyDays: null })
})

test('an owner deletes the team by keyboard and exact name, and sees what stays', async () => {
  const { team, user } = await aTeam(services)
  await setTeamRetention(tool, { teamId: team.id, mediaDays: 7, historyDays: 90 })
  const page = await aBrowserPage(app, { as: user, at: `/integrations/${team.id}/settings` })
  await page.getByRole('button', { name: 'Delete team' }).press('Enter')
  const dialog = page.getByRole('dialog', { name: `Delete ${team.name}?` })
  await dialog.getByText('What stays, without names: the ledger').waitFor()
  await expectAccessible(page)
  await screenshot(page, 'settings-delete')
  await page.setViewportSize({ width: 360, height: 740 })
  await expectNoSidewaysScrolling(page)
  await page.keyboard.type(team.name.toLowerCase())
  await page.keyboard.press('Enter')
  await dialog.getByText('Enter the exact name of the team').waitFor()
  expect(await findTeam(tool, team.id)).toMatchObject({ name: team.name })
  await dialog.getByLabel('Name of the team').fill(team.name)
  await page.keyboard.press('Enter')
  await expect.poll(() => findTeam(tool, team.id)).toBe(null)
  await page.waitForURL((url) => !url.pathname.includes(team.id))
})
