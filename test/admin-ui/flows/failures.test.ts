import type { Route } from 'playwright-core'
import { afterAll, expect, test } from 'vitest'
import { testApp } from '../../support/app.ts'
import { aBrowserPage, type BrowserPage } from '../../support/browser/browser.ts'
import { expectAccessible } from '../../support/browser/browserChecks.ts'
import { aTeamWithKey } from '../../support/factories.ts'
import { anEnding, aSubscription, loopback } from '../../support/webhooks/webhooks.ts'

const app = await testApp({ clock: 'database', settings: loopback })
afterAll(app.close)
const { services } = app
const own = await aTeamWithKey(services)
const { subscription } = await aSubscription(services, own, 'http://127.0.0.1:9/hook')
const generationId = await anEnding(own, 'ready')
const at = (path: string) => `/integrations/${own.team.id}/${path}`

const message = 'The service cannot do this now.'
/** The forms of `data` in a failed answer of the server. */
const failedData = { 'no data': null, 'a field without a value': { team: null } }

/** Fails all queries of the page except those that match. */
async function failQueries(page: BrowserPage, data: unknown, except: RegExp): Promise<void> {
  const errors = [{ message, extensions: { code: 'service_unavailable', retryable: true, details: {} } }]
  await page.route('**/graphql', (route: Route) => {
    const { query = '' } = JSON.parse(route.request().postData() ?? '{}') as { query?: string }
    return except.test(query) ? route.continue() : route.fulfill({ json: { data, errors }, headers: { 'x-request-id': 'req_x' } })
  })
}

const frame = /query (Viewer|StandingNotice|TeamAlerts)\b/
const failed = (page: BrowserPage) => page.getByRole('main').getByRole('alert').filter({ hasText: message })

test.each(Object.entries(failedData))(
  'every page whose queries fail with %s has its heading, the error and Try again',
  async (_how, data) => {
    const page = await aBrowserPage(app, { as: own.user })
    await failQueries(page, data, frame)
    const details = [`keys/${own.key.id}`, `webhooks/${subscription.id}`, `history/${generationId}`, `members/${own.user.id}`]
    const screens = [
      'overview',
      'playground',
      'catalog',
      'keys',
      'webhooks',
      'agents',
      'history',
      'deliveries',
      'usage',
      'audit',
      'team',
      'settings',
    ]
    for (const path of [...screens, ...details, 'catalog/sandbox-image', 'account']) {
      await page.goto(at(path))
      await failed(page).first().waitFor()
      await failed(page).first().getByText('req_x').waitFor()
      await failed(page).first().getByRole('button', { name: 'Try again' }).waitFor()
      expect([path, await page.getByRole('heading', { level: 1 }).count()]).toEqual([path, 1])
    }
    await page.goto(at('usage'))
    await expect.poll(() => failed(page).allTextContents()).toEqual([expect.stringContaining('Usage could not be loaded')])
    await page.goto(at('team'))
    await failed(page).first().waitFor()
    await expectAccessible(page)
  },
)

test('a part of a page that fails shows the error, and the other parts stay', async () => {
  const page = await aBrowserPage(app, { as: own.user })
  await failQueries(page, { team: null }, /query (Viewer|StandingNotice|TeamAlerts|Key|KeyRefusals)\b/)
  await page.goto(at(`keys/${own.key.id}`))
  await failed(page).filter({ hasText: 'The generations could not be loaded' }).waitFor()
  await failed(page).filter({ hasText: 'The credits could not be loaded' }).waitFor()
  await page.getByText('No request of this key was refused in 30 days.').waitFor()
})

test('after a failed page is loaded again by keyboard, the focus is on its heading', async () => {
  const page = await aBrowserPage(app, { as: own.user })
  await failQueries(page, null, frame)
  await page.goto(at(`members/${own.user.id}`))
  await failed(page).getByRole('button', { name: 'Try again' }).focus()
  await page.unroute('**/graphql')
  await page.keyboard.press('Enter')
  const heading = page.getByRole('heading', { level: 1, name: own.user.name })
  await heading.waitFor()
  await expect.poll(() => heading.evaluate((element) => element === document.activeElement)).toBe(true)
})
