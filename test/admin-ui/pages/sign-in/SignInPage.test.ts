import { afterAll, expect, test } from 'vitest'
import { testApp } from '../../../support/app.ts'
import { aBrowserPage } from '../../../support/browser/browser.ts'
import { expectAccessible, expectNoSidewaysScrolling, screenshot } from '../../../support/browser/browserChecks.ts'
import { aTeam, aUser } from '../../../support/factories.ts'

const app = await testApp({ clock: 'database' })
afterAll(app.close)
const { services } = app

const password = 'correct horse battery'

test('the sign-in returns to the requested page', async () => {
  const user = await aUser(services, { password })
  const page = await aBrowserPage(app, { at: '/integrations/team_nobody/keys?search=a%20b' })
  await page.getByRole('heading', { name: 'Sign in', level: 1 }).waitFor()
  expect(new URL(page.url()).pathname).toBe('/integrations/sign-in')
  expect(await page.title()).toBe('Sign in · Atelier')

  await page.getByLabel('E-mail').fill(` ${user.email} `)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.waitForURL('**/integrations/team_nobody/keys?search=a%20b')
  await page.getByRole('heading', { name: 'Not found', level: 1 }).waitFor()
})

test('a wrong password shows an error and keeps the entered e-mail', async () => {
  const user = await aUser(services, { password })
  const page = await aBrowserPage(app, { at: '/integrations' })
  await page.getByLabel('E-mail').fill(user.email)
  await page.getByLabel('Password', { exact: true }).fill('wrong')
  await page.keyboard.press('Enter')
  expect(await page.getByRole('alert').textContent()).toBe('E-mail or password is wrong.')
  expect(await page.getByLabel('E-mail').inputValue()).toBe(user.email)
  await expectAccessible(page)
  await screenshot(page, 'sign-in-wrong')
  expect(await page.context().cookies()).toEqual([])
})

test('too many attempts show how long to wait', async () => {
  const user = await aUser(services, { password })
  const page = await aBrowserPage(app, { at: '/integrations/sign-in' })
  await page.getByLabel('E-mail').fill(user.email)
  await page.getByLabel('Password', { exact: true }).fill('wrong')
  const said = async () => {
    const answer = page.waitForResponse('**/auth/sign-in/email')
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    return (await answer).status()
  }
  while ((await said()) !== 429);
  await page.getByText(/^Too many attempts\. Try again in \d+ (seconds?|minutes)\.$/).waitFor()
  await page.getByText(/req_\w+/).waitFor()
})

test('the page reports an unreachable server', async () => {
  const page = await aBrowserPage(app, { at: '/integrations/sign-in' })
  await page.getByRole('button', { name: 'Sign in', exact: true }).waitFor()
  await page.context().setOffline(true)
  await page.getByLabel('E-mail').fill('a@example.test')
  await page.getByLabel('Password', { exact: true }).fill('b')
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.getByText('The server cannot be reached.').waitFor()
})

test('a sign-out ends the session on the server and clears loaded data', async () => {
  const { user } = await aTeam(services)
  const page = await aBrowserPage(app, { as: user, at: '/integrations' })
  const cookies = await page.context().cookies()
  await page.getByRole('button', { name: 'Account' }).click()
  await page.getByText(user.email).waitFor()
  await expectAccessible(page)
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await page.getByRole('heading', { name: 'Sign in' }).waitFor()

  await page.context().addCookies(cookies)
  await page.goto('/integrations')
  await page.getByRole('heading', { name: 'Sign in' }).waitFor()
})

test('the page is accessible, also on a phone', async () => {
  const page = await aBrowserPage(app, { at: '/integrations/sign-in', viewport: { width: 360, height: 740 } })
  expect(await page.getByLabel('E-mail').evaluate((field) => field === document.activeElement)).toBe(true)
  await expectNoSidewaysScrolling(page)
  await expectAccessible(page)
  await screenshot(page, 'sign-in')
})
