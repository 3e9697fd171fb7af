import { afterAll, expect, test } from 'vitest'
import { testApp } from '../../../support/app.ts'
import { aBrowserPage, type BrowserPage } from '../../../support/browser/browser.ts'
import { expectAccessible, expectNoSidewaysScrolling } from '../../../support/browser/browserChecks.ts'
import { aTeam } from '../../../support/factories.ts'

const soon = { timeout: 15_000 }
const app = await testApp({ clock: 'database' })
afterAll(app.close)
const { services } = app
const own = await aTeam(services)
const teamId = own.team.id

const openPage = (as: { id: string }, query = '', options: object = {}) =>
  aBrowserPage(app, { as, at: `/integrations/${teamId}/playground${query}`, ...options })
const button = (page: BrowserPage, name: string) => page.getByRole('button', { name, exact: true })

test('the address has the whole request, and edits of it replace no entry of the history', async () => {
  const page = await openPage(own.user)
  await page.getByLabel('Prompt').fill('A red door')
  await page.getByLabel('Seed').fill('7')
  await expectAccessible(page)
  await expect.poll(() => new URL(page.url()).searchParams.get('parameters'), soon).toBe('{"seed":7}')
  const { search } = new URL(page.url())
  const other = await openPage(own.user, search)
  await expect.poll(() => other.getByLabel('Prompt').inputValue(), soon).toBe('A red door')
  expect(await other.getByLabel('Seed').inputValue()).toBe('7')
  await other.getByText('Python', { exact: true }).click()
  await expect
    .poll(() => other.getByRole('region', { name: 'The same request', exact: true }).textContent(), soon)
    .toContain('parameters={"seed": 7}')
})

test.each([360, 1024])('at %i px nothing overflows the window, and the result is above the code', async (width) => {
  const page = await openPage(own.user, '', { viewport: { width, height: 740 } })
  await button(page, 'Run').waitFor()
  await expectNoSidewaysScrolling(page)
  const topOf = async (name: string) => (await page.getByRole('region', { name, exact: true }).boundingBox())?.y ?? Number.NaN
  expect(await topOf('Result')).toBeLessThan(await topOf('The same request as code'))
})
