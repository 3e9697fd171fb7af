import { afterAll, expect, test } from 'vitest'
import { testApp } from '../../../support/app.ts'
import { aBrowserPage } from '../../../support/browser/browser.ts'
import { expectAccessible, expectNoSidewaysScrolling, screenshot } from '../../../support/browser/browserChecks.ts'
import { aFullTeam } from '../../../support/browser/teamPage.ts'

const app = await testApp({ clock: 'database' })
afterAll(app.close)
const { services } = app

test('the page of a member shows their role, keys and changes, for managers only', async () => {
  const { team, owner, admin, member } = await aFullTeam(services)
  const page = await aBrowserPage(app, { as: owner, at: `/integrations/${team.id}/team` })
  await page.getByRole('link', { name: admin.name }).click()
  await page.getByRole('heading', { name: admin.name, level: 1 }).waitFor()
  await page.getByText(admin.email).waitFor()
  await page.getByRole('link', { name: 'render-bot' }).waitFor()
  await page.getByText('Nothing yet.').waitFor()
  const hrefs = await page
    .getByRole('main')
    .getByRole('link')
    .evaluateAll((links) => links.map((link) => link.getAttribute('href')))
  for (const screen of ['history', 'audit']) expect(hrefs).toContain(`/integrations/${team.id}/${screen}?who=${admin.id}`)
  await expectAccessible(page)
  await screenshot(page, 'member')
  await page.setViewportSize({ width: 390, height: 800 })
  await expectNoSidewaysScrolling(page)
  await page.goto(`/integrations/${team.id}/members/user_nobody`)
  await page.getByRole('heading', { name: 'Not found' }).waitFor()
  const other = await aBrowserPage(app, { as: member, at: `/integrations/${team.id}/members/${admin.id}` })
  await other.getByRole('heading', { name: 'Not found' }).waitFor()
})

test('an administrator removes a member on their page, and no owner', async () => {
  const { team, owner, admin, member } = await aFullTeam(services)
  const page = await aBrowserPage(app, { as: admin, at: `/integrations/${team.id}/members/${owner.id}` })
  await page.getByRole('heading', { name: owner.name, level: 1 }).waitFor()
  expect(await page.getByRole('button', { name: 'Remove from team' }).count()).toBe(0)
  await page.goto(`/integrations/${team.id}/members/${member.id}`)
  await page.getByRole('button', { name: 'Remove from team' }).press('Enter')
  const dialog = page.getByRole('dialog', { name: `Remove ${member.name}?` })
  await dialog.getByText(`${member.name} (${member.email}) loses access`).waitFor()
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Team', level: 1 }).waitFor()
  await page.getByRole('link', { name: admin.name }).waitFor()
  expect(await page.getByRole('link', { name: member.name }).count()).toBe(0)
})
