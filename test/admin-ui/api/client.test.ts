import { afterAll, expect, test } from 'vitest'
import { setTeamMember } from '../../../src/domain/access/teams/memberships.ts'
import { testApp } from '../../support/app.ts'
import { aBrowserPage } from '../../support/browser/browser.ts'
import { expectAccessible, screenshot } from '../../support/browser/browserChecks.ts'
import { aServiceContext, aTeam, aUser } from '../../support/factories.ts'

const app = await testApp({ clock: 'database' })
afterAll(app.close)
const { services } = app
const password = 'correct horse battery'

test('an expired session asks for the password over the page, which keeps what was typed; the action was not done', async () => {
  const { team } = await aTeam(services)
  const user = await aUser(services, { password })
  await setTeamMember(aServiceContext(services), { teamId: team.id, userId: user.id, role: 'admin' })
  const at = `/integrations/${team.id}/keys?search=render`
  const page = await aBrowserPage(app, { as: user, at })
  await page.getByRole('button', { name: 'Issue key' }).click()
  const dialog = page.getByRole('dialog', { name: 'Issue key' })
  await dialog.getByLabel('Name', { exact: true }).fill('render-bot')
  await dialog.getByRole('checkbox', { name: 'catalog:read', exact: true }).check()
  await page.context().clearCookies()
  await dialog.getByRole('button', { name: 'Issue', exact: true }).click()
  await page.getByText('Your session has ended.').waitFor()
  await expectAccessible(page)
  await screenshot(page, 'sign-in-ended')

  const again = page.getByRole('dialog', { name: 'Sign in again' })
  expect(await again.getByLabel('E-mail').inputValue()).toBe(user.email)
  await again.getByLabel('Password', { exact: true }).fill('wrong')
  await again.getByRole('button', { name: 'Sign in', exact: true }).click()
  await again.getByText('E-mail or password is wrong.').waitFor()
  await again.getByLabel('Password', { exact: true }).fill(password)
  await again.getByRole('button', { name: 'Sign in', exact: true }).click()
  await again.waitFor({ state: 'detached' })
  expect(await dialog.getByLabel('Name', { exact: true }).inputValue()).toBe('render-bot')
  expect(new URL(page.url()).pathname + new URL(page.url()).search).toBe(at)
  const { rows } = await services.pool.query('select 1 from api_keys where team_id = $1', [team.id])
  expect(rows).toEqual([])
  await dialog.getByRole('button', { name: 'Issue', exact: true }).click()
  await dialog.getByLabel('Key', { exact: true }).waitFor()
})

test('a sign-in in another tab continues the page, which keeps what was typed', async () => {
  const { team } = await aTeam(services)
  const user = await aUser(services, { password })
  await setTeamMember(aServiceContext(services), { teamId: team.id, userId: user.id, role: 'admin' })
  const page = await aBrowserPage(app, { as: user, at: `/integrations/${team.id}/keys` })
  await page.getByRole('button', { name: 'Issue key' }).first().click()
  const dialog = page.getByRole('dialog', { name: 'Issue key' })
  await dialog.getByLabel('Name', { exact: true }).fill('render-bot')
  await dialog.getByRole('checkbox', { name: 'catalog:read', exact: true }).check()
  await page.context().clearCookies()
  await dialog.getByRole('button', { name: 'Issue', exact: true }).click()
  const opened = page.waitForEvent('popup')
  await page.getByRole('link', { name: 'Other ways to sign in' }).click()
  const other = await opened
  await other.getByLabel('E-mail').fill(user.email)
  await other.getByLabel('Password', { exact: true }).fill(password)
  await other.getByRole('button', { name: 'Sign in', exact: true }).click()
  await other.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()
  await other.close()
  await page.getByRole('dialog', { name: 'Sign in again' }).waitFor({ state: 'detached' })
  expect(await dialog.getByLabel('Name', { exact: true }).inputValue()).toBe('render-bot')
})

test('a visit without an earlier session shows no notice of an expired one', async () => {
  const page = await aBrowserPage(app, { at: '/integrations/team_x/keys' })
  await page.getByRole('button', { name: 'Sign in', exact: true }).waitFor()
  expect(await page.getByText('Your session has ended.').count()).toBe(0)
})

test('during an update the page says so and continues by itself: with a process that lacks a field, and without a file', async () => {
  const { team, user } = await aTeam(services)
  const page = await aBrowserPage(app, { as: user, at: `/integrations/${team.id}/audit` })
  await page.getByRole('button', { name: 'Team created' }).waitFor()
  await page.clock.install()
  const notice = page.getByRole('status').filter({ hasText: 'The page continues by itself in a moment.' })
  await page.route('**/graphql', (route) => {
    const body = route.request().postData() ?? ''
    const isNewer = /query (Keys|Standing)\(/.test(body)
    return route.continue(isNewer ? { postData: body.replace('team(', 'fieldOfTomorrow team(') } : {})
  })
  await page.getByRole('navigation').getByRole('link', { name: 'API keys' }).click()
  await notice.getByText('Atelier is being updated').waitFor()
  await notice.getByRole('button', { name: 'Reload' }).waitFor()
  await expectAccessible(page)
  await page.getByRole('link', { name: 'Usage' }).click()
  // The notice is between the filters and what else the page shows.
  const below = page.getByRole('heading', { name: 'No generations ended in this period' })
  await below.waitFor()
  await notice.getByText('Atelier is being updated').waitFor()
  const gaps = async () => {
    const filters = await page.getByRole('group', { name: 'Filters' }).boundingBox()
    const [middle, lower] = [await notice.boundingBox(), await below.boundingBox()]
    return [(middle?.y ?? 0) - (filters?.y ?? 0) - (filters?.height ?? 0), (lower?.y ?? 0) - (middle?.y ?? 0) - (middle?.height ?? 0)]
  }
  await expect.poll(gaps).toEqual([expect.toSatisfy((gap: number) => gap >= 16), expect.toSatisfy((gap: number) => gap >= 16)])
  await page.getByRole('navigation').getByRole('link', { name: 'API keys' }).click()
  await notice.getByText('Atelier is being updated').waitFor()
  await page.unroute('**/graphql')
  await page.clock.runFor(3000)
  await page.getByRole('heading', { name: 'No keys yet' }).waitFor()

  await page.route('**/WebhooksPage-*.js', (route) => route.fulfill({ status: 404 }))
  await page.getByRole('link', { name: 'Webhooks' }).click()
  await notice.getByText('The page could not be loaded').waitFor()
  await page.unroute('**/WebhooksPage-*.js')
  await page.clock.runFor(3000)
  await page.getByRole('heading', { name: 'No webhooks yet' }).waitFor()
})
