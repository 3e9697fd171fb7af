import { readFile } from 'node:fs/promises'
import { afterAll, expect, test } from 'vitest'
import { testApp } from '../../../support/app.ts'
import { aBrowserPage } from '../../../support/browser/browser.ts'
import { expectAccessible, expectNoSidewaysScrolling, screenshot } from '../../../support/browser/browserChecks.ts'
import { aTeamWithKey, type TeamWithKey } from '../../../support/factories.ts'
import { aDeliveryLog } from '../../../support/webhooks/deliveryLog.ts'
import { deliveryRun } from '../../../support/webhooks/deliveryRun.ts'
import { aReceiver } from '../../../support/webhooks/receiver.ts'
import { anEnding, aSubscription, loopback } from '../../../support/webhooks/webhooks.ts'

const app = await testApp({ clock: 'database', worker: true, settings: loopback })
afterAll(app.close)
const { services } = app
const { logOf } = deliveryRun(services)

const open = ({ team, user }: TeamWithKey, filters = '') =>
  aBrowserPage(app, { as: user, at: `/integrations/${team.id}/deliveries${filters}` })

test('filters narrow the log, are in the URL, and are cleared together', async () => {
  const team = await aTeamWithKey(services)
  const receiver = await aReceiver()
  const [one, other] = [
    await aSubscription(services, team, receiver.address),
    await aSubscription(services, team, `${receiver.address}/other`),
  ]
  await anEnding(team, 'ready')
  await anEnding(team, 'failed')
  await expect
    .poll(async () => [...(await logOf(one.subscription.id)), ...(await logOf(other.subscription.id))].map(({ state }) => state), {
      timeout: 10_000,
    })
    .toEqual(['delivered', 'delivered', 'delivered', 'delivered'])
  const page = await open(team)
  const rows = page.getByRole('table', { name: 'Deliveries' }).getByRole('button')
  await rows.nth(3).waitFor()
  await page.getByRole('combobox', { name: 'Event' }).click()
  await page.getByRole('option', { name: 'generation.failed' }).click()
  await expect.poll(() => rows.count(), { timeout: 10_000 }).toBe(2)
  await page.getByRole('combobox', { name: 'Webhook' }).click()
  await page.getByRole('option', { name: `${receiver.address}/other` }).click()
  await expect.poll(() => rows.allTextContents(), { timeout: 10_000 }).toEqual(['generation.failed#2'])
  expect(new URL(page.url()).searchParams.get('event')).toBe('GENERATION_FAILED')
  await expectAccessible(page)
  await page.reload()
  await expect.poll(() => rows.allTextContents(), { timeout: 10_000 }).toEqual(['generation.failed#2'])
  await page.getByRole('combobox', { name: 'State' }).click()
  await page.getByRole('option', { name: 'Retrying' }).click()
  await page.getByRole('heading', { name: 'No delivery matches these filters' }).waitFor()
  await expectAccessible(page)
  await screenshot(page, 'deliveries-none-fits')
  await page.getByRole('button', { name: 'Clear filters' }).click()
  await rows.nth(3).waitFor()
  await page.getByLabel('Since').fill('2030-01-01T00:00')
  await page.getByRole('heading', { name: 'No delivery matches these filters' }).waitFor()
  await page.getByRole('button', { name: 'Clear filters' }).click()
  await page.getByLabel('Until').fill('2020-01-01T00:00')
  await page.getByRole('heading', { name: 'No delivery matches these filters' }).waitFor()
  await page.getByRole('combobox', { name: 'Period' }).click()
  await page.getByRole('option', { name: '24 hours' }).click()
  await rows.nth(3).waitFor()
  expect(new URL(page.url()).search).toBe('?period=24h')
  await expectNoSidewaysScrolling(page)
})

test('J and K move between rows, Enter opens one, the panel follows, Escape closes it', async () => {
  const team = await aTeamWithKey(services)
  const { subscription } = await aSubscription(services, team, 'http://127.0.0.1:9/hook')
  const [, two] = await aDeliveryLog(services, subscription.id, 4)
  const page = await open(team)
  await page.getByRole('button', { name: 'generation.completed #4' }).waitFor()
  await page.keyboard.press('j')
  await page.keyboard.press('j')
  await page.keyboard.press('j')
  await page.keyboard.press('k')
  await page.keyboard.press('Enter')
  const panel = page.getByRole('dialog', { name: 'Delivery' })
  await panel.getByText('#3', { exact: true }).waitFor()
  await page.keyboard.press('j')
  await panel.getByText('#2', { exact: true }).waitFor()
  expect(new URL(page.url()).searchParams.get('delivery')).toBe(two)
  await page.keyboard.press('Escape')
  await panel.waitFor({ state: 'detached' })
  const focused = () => page.evaluate<string>('document.activeElement.textContent')
  await expect.poll(focused, { timeout: 5000 }).toContain('#2')
  await page.getByRole('combobox', { name: 'Webhook' }).fill('jk')
  expect(await page.getByRole('combobox', { name: 'Webhook' }).inputValue()).toBe('jk')
})

test('the log loads page by page, and its export is complete and without formulas', async () => {
  const team = await aTeamWithKey(services)
  const { subscription } = await aSubscription(services, team, 'http://127.0.0.1:9/hook')
  await aDeliveryLog(services, subscription.id, 120)
  await services.pool.query(`update webhook_deliveries set response_start = '=1+1' where subscription_id = $1 and event_number = 120`, [
    subscription.id,
  ])
  const page = await open(team)
  await page.getByRole('button', { name: 'generation.completed #120' }).waitFor()
  await page.getByRole('button', { name: 'Load more' }).click()
  await page.getByRole('button', { name: 'generation.completed #25' }).waitFor()
  await expectAccessible(page)
  await screenshot(page, 'deliveries-full')
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Export CSV' }).click()
  const file = await (await download).path()
  const lines = (await readFile(file, 'utf8')).trim().split('\r\n')
  expect(lines).toHaveLength(121)
  expect(lines[1]).toContain(`,delivered,${subscription.id},http://127.0.0.1:9/hook,1,204,,'=1+1,`)
})

test('new rows wait while the user reads', async () => {
  const team = await aTeamWithKey(services)
  const receiver = await aReceiver()
  const { subscription } = await aSubscription(services, team, receiver.address)
  await aDeliveryLog(services, subscription.id, 60)
  const page = await open(team, '?live=on')
  const row = page.getByRole('button', { name: 'generation.completed #55' })
  await row.waitFor()
  await page.evaluate('scrollTo(0, 120)')
  const before = await row.boundingBox()
  await anEnding(team, 'failed')
  await page.getByRole('button', { name: 'Show 1 new delivery' }).waitFor()
  await expectAccessible(page)
  await screenshot(page, 'deliveries-held')
  expect(Math.abs(((await row.boundingBox())?.y ?? 0) - (before?.y ?? 0))).toBeLessThan(60)
  await page.getByRole('button', { name: 'Show 1 new delivery' }).click()
  await page.getByRole('button', { name: 'generation.failed #61' }).waitFor()
})
