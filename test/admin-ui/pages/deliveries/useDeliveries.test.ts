import { readFile } from 'node:fs/promises'
import { afterAll, expect, test } from 'vitest'
import { testApp } from '../../../support/app.ts'
import { aBrowserPage } from '../../../support/browser/browser.ts'
import { expectAccessible, screenshot } from '../../../support/browser/browserChecks.ts'
import { aTeamWithKey, type TeamWithKey } from '../../../support/factories.ts'
import { aDeliveryLog } from '../../../support/webhooks/deliveryLog.ts'
import { aSubscription, loopback } from '../../../support/webhooks/webhooks.ts'

const app = await testApp({ clock: 'database', settings: loopback })
afterAll(app.close)
const { services } = app

const open = ({ team, user }: TeamWithKey) => aBrowserPage(app, { as: user, at: `/integrations/${team.id}/deliveries` })

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
  await page.getByRole('button', { name: 'generation.completed #25' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Send again' }).click()
  await page.getByText('The delivery will be sent again.').waitFor()
  await page.keyboard.press('Escape')
  const row = page.getByRole('row').filter({ has: page.getByRole('button', { name: 'generation.completed #25' }) })
  await row.getByText('Pending').waitFor()
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Export CSV' }).click()
  const file = await (await download).path()
  const lines = (await readFile(file, 'utf8')).trim().split('\r\n')
  expect(lines).toHaveLength(121)
  expect(lines[1]).toContain(`,delivered,${subscription.id},http://127.0.0.1:9/hook,1,204,,'=1+1,`)
})
