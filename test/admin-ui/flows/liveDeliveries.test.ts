import type { ServerResponse } from 'node:http'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { sendTestEvent } from '../../../src/domain/webhooks/deliveries/sendTestEvent.ts'
import { testApp } from '../../support/app.ts'
import { aBrowserPage } from '../../support/browser/browser.ts'
import { expectAccessible, expectNoSidewaysScrolling, screenshot } from '../../support/browser/browserChecks.ts'
import { aServiceContext, aTeamWithKey, type TeamWithKey } from '../../support/factories.ts'
import { aDeliveryLog } from '../../support/webhooks/deliveryLog.ts'
import { deliveryRun } from '../../support/webhooks/deliveryRun.ts'
import { aReceiver } from '../../support/webhooks/receiver.ts'
import { anEnding, aSubscription, loopback } from '../../support/webhooks/webhooks.ts'

const app = await testApp({ clock: 'database', worker: true, settings: { ...loopback, webhookFirstRetrySeconds: 0.02 } })
afterAll(app.close)
const { services } = app
const { logOf } = deliveryRun(services)

const open = ({ team, user }: TeamWithKey, filters = '') =>
  aBrowserPage(app, { as: user, at: `/integrations/${team.id}/deliveries${filters}` })

/** A receiver with a configurable response. */
async function aConfigurableReceiver() {
  const told: { answer: (response: ServerResponse) => void } = { answer: (response) => response.writeHead(204).end() }
  const receiver = await aReceiver((response) => told.answer(response))
  return { ...receiver, told }
}

test('a live delivery explains its failure, and can be sent again', async () => {
  const team = await aTeamWithKey(services)
  const receiver = await aConfigurableReceiver()
  const { subscription } = await aSubscription(services, team, receiver.address)
  const page = await open(team)
  await page.getByRole('heading', { name: 'No deliveries yet' }).waitFor()
  await page.getByLabel('Live').check()
  await anEnding(team, 'ready')
  await page.getByRole('button', { name: 'generation.completed #1' }).waitFor()
  await page.getByRole('cell', { name: 'Delivered' }).waitFor()

  receiver.told.answer = (response) => response.writeHead(500).end('<b>broken</b>\u202e\u0007')
  await anEnding(team, 'failed')
  await page.getByRole('button', { name: 'generation.failed #2' }).click()
  const panel = page.getByRole('dialog', { name: 'Delivery' })
  await panel.getByText('Failed', { exact: true }).waitFor()
  await panel.getByText('The receiver answered 500; only an answer from 200 to 299 is success.').waitFor()
  await panel.getByText('<b>broken</b>\\u{202e}\\u{7}').waitFor()
  expect(await panel.getByRole('listitem').count()).toBe(7)
  expect(await panel.getByRole('region', { name: 'Payload' }).textContent()).toContain('"event": "generation.failed"')
  await expectAccessible(page)
  await screenshot(page, 'deliveries-panel')

  receiver.told.answer = (response) => response.writeHead(200).end('thanks')
  await panel.getByRole('button', { name: 'Send again' }).click()
  await panel.getByText('Delivered', { exact: true }).waitFor()
  await panel.getByText('The receiver answered 200 and has the event.').waitFor()
  expect((await logOf(subscription.id)).map(({ state }) => state)).toEqual(['delivered', 'delivered'])
  await page.keyboard.press('Escape')
  await panel.waitFor({ state: 'detached' })
  await expect.poll(() => page.getByRole('cell', { name: 'Delivered' }).count(), { timeout: 10_000 }).toBe(2)
  // All filters are in one row.
  await page.setViewportSize({ width: 1440, height: 800 })
  const tops = ['State', 'Webhook', 'Event', 'Period', 'Since', 'Until'].map(
    async (name) => (await page.getByLabel(name, { exact: true }).first().boundingBox())?.y,
  )
  expect(new Set(await Promise.all(tops)).size).toBe(1)
})

test('while a receiver hangs or fails, the panel shows the time of the next attempt', async () => {
  const slow = { ...services.settings }
  Object.assign(services.settings, { webhookFirstRetrySeconds: 600 })
  onTestFinished(() => void Object.assign(services.settings, slow))
  const team = await aTeamWithKey(services)
  const receiver = await aConfigurableReceiver()
  receiver.told.answer = (response) => response.destroy()
  const { subscription } = await aSubscription(services, team, receiver.address)
  const { id } = await sendTestEvent(aServiceContext(services), subscription.id)
  const page = await open(team, `?delivery=${id}`)
  const panel = page.getByRole('dialog', { name: 'Delivery' })
  await panel.getByText(/^The next attempt is in (10 min|9 min \d+ s)/).waitFor()
  await panel.getByText('The receiver closed the connection before it answered.').waitFor()
  await expectAccessible(page)
})

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
