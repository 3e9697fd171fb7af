import type { Page } from 'playwright-core'
import { afterAll, expect, test } from 'vitest'
import { testApp } from '../../../support/app.ts'
import { aBrowserPage } from '../../../support/browser/browser.ts'
import { expectAccessible, expectNoSidewaysScrolling, screenshot } from '../../../support/browser/browserChecks.ts'
import { aTeam } from '../../../support/factories.ts'

const app = await testApp()
afterAll(app.close)
const { team, user } = await aTeam(app.services)
await app.services.pool.query(`update users set time_zone = 'America/New_York' where id = $1`, [user.id])
/** 20:30 on 31 October in New York, a day before the clocks go back. */
const now = '2026-11-01T00:30:00.000Z'

type Variables = Record<string, string | null>

/** Opens a screen at that time. `asked` has the variables of the last query with that name. */
async function open(screen: string, query: string) {
  const page = await aBrowserPage(app, { as: user })
  const asked: { variables?: Variables } = {}
  page.on('request', (request) => {
    const body = request.url().endsWith('/graphql') ? (request.postDataJSON() as { query: string; variables: Variables }) : undefined
    if (body?.query.startsWith(`query ${query}(`)) asked.variables = body.variables
  })
  await page.clock.setFixedTime(now)
  await page.goto(`/integrations/${team.id}/${screen}`)
  return { page, range: () => [asked.variables?.['createdAfter'] ?? null, asked.variables?.['createdBefore'] ?? null], asked }
}

async function choose(page: Page, period: string): Promise<void> {
  await page.getByRole('combobox', { name: 'Period' }).click()
  await page.getByRole('option', { name: period, exact: true }).click()
}

const field = (page: Page, name: string) => page.getByRole('textbox', { name, exact: true })
const value = (page: Page, name: string) => field(page, name).inputValue()

test('periods follow the time zone of the person, and the address keeps them', async () => {
  const { page, range } = await open('history?period=today', 'History')
  await expect.poll(range).toEqual(['2026-10-31T04:00:00.000Z', null])
  expect([await value(page, 'From'), await value(page, 'To')]).toEqual(['31 Oct 2026', '31 Oct 2026'])
  await choose(page, 'Last hour')
  await expect.poll(range).toEqual(['2026-10-31T23:30:00.000Z', null])
  await choose(page, 'This month')
  await expect.poll(range).toEqual(['2026-10-01T04:00:00.000Z', null])
  expect(new URL(page.url()).search).toBe('?period=month')
})

test('Custom begins with the range that is shown, at its first field; a day has its 25 hours', async () => {
  const { page, range } = await open('history?period=7d', 'History')
  await expect.poll(range).toEqual(['2026-10-25T04:00:00.000Z', null])
  await choose(page, 'Custom')
  await page.waitForURL('**/history?from=2026-10-25&to=2026-10-31')
  expect(await field(page, 'From').evaluate((input) => document.activeElement === input)).toBe(true)
  await field(page, 'From').fill('Nov 1 2026')
  await field(page, 'To').fill('01/11/2026')
  await expect.poll(range).toEqual(['2026-11-01T04:00:00.000Z', '2026-11-02T05:00:00.000Z'])
  await field(page, 'To').fill('2026-10-01')
  await page.getByText('Choose a day on or after From.').waitFor()
})

test('moments are on the clock of the person', async () => {
  const { page, asked } = await open('audit?period=last-month', 'Audit')
  await expect
    .poll(() => [asked.variables?.['since'], asked.variables?.['until']])
    .toEqual(['2026-09-01T04:00:00.000Z', '2026-10-01T04:00:00.000Z'])
  expect([await value(page, 'Since'), await value(page, 'Until')]).toEqual(['1 Sept 2026, 00:00', '1 Oct 2026, 00:00'])
  await field(page, 'Until').fill('1 August 2026, 18:30')
  await page.getByText('Choose a time after Since.').waitFor()
  expect(new URL(page.url()).searchParams.get('until')).toBe('2026-08-01T22:30:00.000Z')
  await field(page, 'Until').blur()
  await expect.poll(() => value(page, 'Until')).toBe('1 Aug 2026, 18:30')
})

test('a date field keeps text that is no date, says what it takes, and keeps the filter', async () => {
  const { page, range } = await open('history?from=2026-10-25', 'History')
  await expect.poll(range).toEqual(['2026-10-25T04:00:00.000Z', null])
  await field(page, 'From').fill('yesterday')
  expect(await page.getByText(/^Write a day like/).count()).toBe(0)
  await field(page, 'From').blur()
  await page.getByText(/^Write a day like \d{1,2} \w{3,4} \d{4}\.$/).waitFor()
  expect(await field(page, 'From').getAttribute('aria-invalid')).toBe('true')
  await expectAccessible(page)
  expect(new URL(page.url()).search).toBe('?from=2026-10-25')
  await field(page, 'From').fill('')
  await expect.poll(range).toEqual([null, null])
  await page.goBack()
  await expect.poll(() => value(page, 'From')).toBe('25 Oct 2026')
})

test('the button of a date field opens the calendar of the browser, by keyboard too, and its choice is shown as on the page', async () => {
  const { page, range } = await open('history?from=2026-10-25', 'History')
  await expect.poll(range).toEqual(['2026-10-25T04:00:00.000Z', null])
  await page.evaluate(() => {
    HTMLInputElement.prototype.showPicker = function pickAnotherDay() {
      Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(this, '2026-10-20')
      this.dispatchEvent(new Event('input', { bubbles: true }))
    }
  })
  await field(page, 'From').focus()
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await page.waitForURL('**/history?from=2026-10-20')
  expect(await value(page, 'From')).toBe('20 Oct 2026')
})

test.each(['history', 'deliveries', 'audit', 'usage'])('the ranges of %s fit on every screen', async (screen) => {
  const { page } = await open(`${screen}?period=7d`, 'Viewer')
  await page.getByRole('combobox', { name: 'Period' }).waitFor()
  for (const width of [1440, 1024, 390]) {
    await page.setViewportSize({ width, height: 800 })
    await expectNoSidewaysScrolling(page)
  }
  await expectAccessible(page)
  await screenshot(page, `range-${screen}`)
})
