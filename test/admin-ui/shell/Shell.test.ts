import { afterAll, expect, test } from 'vitest'
import { setTeamMember } from '../../../src/domain/access/teams/memberships.ts'
import { testApp } from '../../support/app.ts'
import { aBrowserPage } from '../../support/browser/browser.ts'
import { expectAccessible, expectNoSidewaysScrolling, screenshot } from '../../support/browser/browserChecks.ts'
import { aServiceContext, aTeam, aUser } from '../../support/factories.ts'

const app = await testApp({ clock: 'database' })
afterAll(app.close)
const { services } = app

const all = [
  ...['Playground', 'Catalog', 'API keys', 'Webhooks', 'Agents'],
  ...['Overview', 'History', 'Deliveries', 'Usage', 'Audit log'],
  ...['Team', 'Settings'],
]

test.each([
  ['owner', all],
  ['admin', all],
  ['member', ['Playground', 'Catalog', 'Agents', 'Overview', 'History', 'Usage', 'Team']],
] as const)('the navigation of an %s holds what they may see in groups, and the overview is first', async (role, names) => {
  const { user, team } = await aTeam(services, { role })
  const page = await aBrowserPage(app, { as: user, at: '/integrations' })
  await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()
  expect(new URL(page.url()).pathname).toBe(`/integrations/${team.id}/overview`)
  expect(await page.getByRole('navigation').getByRole('link').allTextContents()).toEqual(names)
  expect(await page.getByRole('navigation').getByRole('list', { name: 'Build' }).getByRole('link').first().textContent()).toBe('Playground')
})

test('a page without permission, a foreign team and an unknown address are all not found', async () => {
  const { user, team } = await aTeam(services, { role: 'member' })
  const { team: foreign } = await aTeam(services)
  const page = await aBrowserPage(app, { as: user })
  const seen = new Set<string>()
  for (const path of [
    `${team.id}/keys`,
    `${foreign.id}/history`,
    'team_nobody/history',
    `${team.id}/nothing`,
    'nothing',
    `${team.id}/team/x`,
  ]) {
    await page.goto(`/integrations/${path}`)
    await page.getByRole('heading', { name: 'Not found', level: 1 }).waitFor()
    seen.add(await page.getByRole('main').innerText())
  }
  expect(seen.size).toBe(1)
  await expectAccessible(page)
  await screenshot(page, 'not-found')
})

test('each link opens its page, sets the window title, and focuses the heading', async () => {
  const { user, team } = await aTeam(services)
  const page = await aBrowserPage(app, { as: user, at: '/integrations' })
  for (const name of all.toReversed()) {
    await page.getByRole('navigation').getByRole('link', { name }).click()
    const heading = page.getByRole('heading', { level: 1, name })
    await heading.waitFor()
    await expect.poll(() => heading.evaluate((element) => element === document.activeElement)).toBe(true)
    expect(await page.title()).toBe(`${name} · ${team.name} · Atelier`)
    expect(await page.getByRole('link', { name: 'Help' }).getAttribute('href')).toMatch(/^\/docs\/guides\/integrations#/)
  }
})

test('a member of several teams keeps the page when switching, where their role opens it, and returns to the last team', async () => {
  const { user, team: first } = await aTeam(services)
  const { team: second } = await aTeam(services)
  await setTeamMember(aServiceContext(services), { teamId: second.id, userId: user.id, role: 'member' })
  const page = await aBrowserPage(app, { as: user, at: `/integrations/${first.id}/usage` })
  await page.getByRole('button', { name: `Team ${first.name}` }).click()
  await expectAccessible(page)
  await page.getByRole('menuitemradio', { name: second.name }).click()
  await page.waitForURL(`**/integrations/${second.id}/usage`)
  await page.goto('/integrations')
  await page.waitForURL(`**/integrations/${second.id}/overview`)

  await page.goto(`/integrations/${first.id}/keys`)
  await page.getByRole('button', { name: `Team ${first.name}` }).click()
  await page.getByRole('menuitemradio', { name: second.name }).click()
  await page.waitForURL(`**/integrations/${second.id}/overview`)
})

test('a person without a team sees what to do', async () => {
  const user = await aUser(services)
  const page = await aBrowserPage(app, { as: user, at: '/integrations' })
  await page.getByRole('heading', { name: 'You are not in a team yet' }).waitFor()
  await page.getByText(user.email).waitFor()
  await expectAccessible(page)
  await screenshot(page, 'no-team')
  await page.getByRole('link', { name: 'set one up' }).click()
  await page.getByRole('heading', { name: 'Agents', level: 1 }).waitFor()
  expect(new URL(page.url()).pathname).toBe('/integrations/personal/agents')
})

test('the theme follows the system until it is chosen, and a chosen one applies before the first paint', async () => {
  const { user } = await aTeam(services)
  const page = await aBrowserPage(app, { as: user, at: '/integrations', colorScheme: 'dark' })
  const scheme = () => page.evaluate(() => document.documentElement.dataset['mantineColorScheme'])
  await page.getByRole('button', { name: 'Theme' }).click()
  expect(await scheme()).toBe('dark')
  await expectAccessible(page)
  await page.emulateMedia({ colorScheme: 'dark' })
  await page.getByRole('menuitemradio', { name: 'Light' }).click()
  await expect.poll(scheme).toBe('light')

  await page.route('**/assets/index-*.js', (route) => route.abort())
  await page.reload({ waitUntil: 'domcontentloaded' })
  expect(await scheme()).toBe('light')
})

test('on a phone the navigation opens over the page and closes after a choice', async () => {
  const { user } = await aTeam(services)
  const page = await aBrowserPage(app, { as: user, at: '/integrations', viewport: { width: 360, height: 740 } })
  await page.getByRole('button', { name: 'Open navigation' }).click()
  const drawer = page.getByRole('dialog', { name: 'Navigation' })
  await drawer.getByRole('link', { name: 'Usage' }).waitFor()
  await expectAccessible(page)
  await drawer.getByRole('link', { name: 'Usage' }).click()
  await page.getByRole('heading', { name: 'Usage', level: 1 }).waitFor()
  await drawer.waitFor({ state: 'detached' })
  await expectNoSidewaysScrolling(page)
  await expectAccessible(page)
})

test('a link skips the navigation by keyboard', async () => {
  const { user } = await aTeam(services)
  const page = await aBrowserPage(app, { as: user, at: '/integrations' })
  await page.getByRole('heading', { name: 'Overview' }).waitFor()
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe('content')
  await expectAccessible(page)
  await screenshot(page, 'shell')
})

test('without the files of menus and search, as after an update, the page stays, takes keys and asks to reload', async () => {
  const { user } = await aTeam(services)
  const page = await aBrowserPage(app, { as: user })
  const missing = /\/assets\/(menus|CommandPalette)-[^/]*\.js$/
  await page.route(missing, (route) => route.fulfill({ status: 404 }))
  await page.goto('/integrations')
  const notice = page.getByRole('alert').filter({ hasText: 'A part of the page could not be loaded' })
  await notice.waitFor()
  await page.getByRole('link', { name: 'History' }).click()
  await page.getByRole('button', { name: 'Search' }).click()
  const field = page.getByPlaceholder('Prompt or reference')
  await field.focus()
  await expect
    .poll(async () => {
      await page.keyboard.press('a')
      return await field.inputValue()
    })
    .toContain('a')
  await expectAccessible(page)
  await screenshot(page, 'shell-missing-part')
  page.faults.length = 0
  await page.unroute(missing)
  await page.reload()
  await page.getByRole('button', { name: 'Account' }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).waitFor()
  expect(await notice.count()).toBe(0)
})
