import { afterAll, expect, test } from 'vitest'
import { testApp } from '../../../support/app.ts'
import { aBrowserPage, type BrowserPage } from '../../../support/browser/browser.ts'
import { expectAccessible, screenshot } from '../../../support/browser/browserChecks.ts'
import { aTeamWithKey } from '../../../support/factories.ts'
import { aSubscription, loopback } from '../../../support/webhooks/webhooks.ts'

const soon = { timeout: 10_000 }
const app = await testApp({ clock: 'database', settings: loopback })
afterAll(app.close)
const { services } = app
const own = await aTeamWithKey(services)
const { subscription: hook } = await aSubscription(services, own, 'http://127.0.0.1:9/hook')
const generation = await app.ask('POST /generations', { key: own.value, body: { familyId: 'sandbox-image', prompt: 'a boat' } })
await app.ask('POST /generations', { key: own.value, body: { familyId: 'sandbox-image', prompt: 'a queue' } })

const open = (path: string) => aBrowserPage(app, { as: own.user, at: `/integrations/${own.team.id}/${path}` })
const back = (page: BrowserPage) => page.getByRole('navigation', { name: 'Breadcrumb' }).getByRole('link')
const address = (page: BrowserPage) => page.url().slice(page.url().indexOf(own.team.id) + own.team.id.length + 1)

test('the page of a key leads back to the list with its filters, by keyboard and after a reload', async () => {
  const page = await open('keys?search=test&state=LIVE')
  await page.getByRole('link', { name: 'test key' }).click()
  const heading = page.getByRole('heading', { name: 'test key', level: 1 })
  await heading.waitFor()
  await expectAccessible(page)
  await screenshot(page, 'link-to-list')
  await page.reload()
  await heading.waitFor()
  expect(await back(page).textContent()).toBe('API keys')
  await heading.focus()
  await page.keyboard.press('Shift+Tab')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'API keys', level: 1 }).waitFor()
  expect(address(page)).toBe('keys?search=test&state=LIVE')
})

test('the page of a family, opened by its row, leads back to the filtered catalog', async () => {
  const page = await open('catalog?makes=IMAGE')
  await page
    .getByRole('row')
    .filter({ has: page.getByRole('link', { name: /sandbox-image/ }) })
    .getByRole('cell')
    .nth(2)
    .click({ position: { x: 2, y: 2 } })
  await page.getByRole('heading', { name: 'Sandbox Image', level: 1 }).waitFor()
  await back(page).click()
  await page.getByRole('heading', { name: 'Catalog', level: 1 }).waitFor()
  expect(address(page)).toBe('catalog?makes=IMAGE')
})

test('the page of a generation leads back to the filtered history without the panel, also after Previous and Next', async () => {
  const page = await open('history?family=sandbox-image')
  await page.getByRole('button', { name: /a boat/ }).click()
  await page.getByRole('dialog', { name: 'Generation' }).getByRole('link', { name: 'Open page' }).click()
  await page.getByRole('link', { name: 'Previous', exact: true }).click()
  await page.getByText('a queue').waitFor()
  await back(page).click()
  await page.getByRole('heading', { name: 'History', level: 1 }).waitFor()
  expect(address(page)).toBe('history?family=sandbox-image')
})

test('a page that was opened by its address leads to the whole list, also when it could not be loaded', async () => {
  const members = { path: `members/${own.user.id}`, list: 'team' }
  const generations = { path: `history/${generation.body.generationId}`, list: 'history' }
  const page = await open(`webhooks/${hook.id}`)
  const expectLink = (list: string) => expect.poll(() => back(page).getAttribute('href'), soon).toBe(`/integrations/${own.team.id}/${list}`)
  await expectLink('webhooks')
  for (const { path, list } of [members, generations]) {
    await page.goto(`/integrations/${own.team.id}/${path}`)
    await expectLink(list)
  }
  const failing = { data: null, errors: [{ message: 'failed', extensions: { code: 'internal_error' } }] }
  await page.route('**/graphql', (route) =>
    route.request().postDataJSON().operationName === 'Key' ? route.fulfill({ json: failing }) : route.continue(),
  )
  await page.goto(`/integrations/${own.team.id}/keys/${own.key.id}`)
  await page.getByText('The key could not be loaded').waitFor()
  await expectLink('keys')
})
