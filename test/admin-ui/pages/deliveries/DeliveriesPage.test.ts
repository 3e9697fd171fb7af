import type { ServerResponse } from 'node:http'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { newId } from '../../../../src/contract/ids.ts'
import { sendTestEvent } from '../../../../src/domain/webhooks/deliveries/sendTestEvent.ts'
import { testApp } from '../../../support/app.ts'
import { aBrowserPage, type PageOptions } from '../../../support/browser/browser.ts'
import { expectAccessible, expectNoSidewaysScrolling, screenshot } from '../../../support/browser/browserChecks.ts'
import { aServiceContext, aTeamWithKey, type TeamWithKey } from '../../../support/factories.ts'
import { aDeliveryLog } from '../../../support/webhooks/deliveryLog.ts'
import { deliveryRun } from '../../../support/webhooks/deliveryRun.ts'
import { aReceiver } from '../../../support/webhooks/receiver.ts'
import { anEnding, aSubscription, loopback } from '../../../support/webhooks/webhooks.ts'

const app = await testApp({ clock: 'database', worker: true, settings: { ...loopback, webhookFirstRetrySeconds: 0.02 } })
afterAll(app.close)
const { services } = app
const { logOf } = deliveryRun(services)

const open = ({ team, user }: TeamWithKey, filters = '', options: PageOptions = {}) =>
  aBrowserPage(app, { as: user, at: `/integrations/${team.id}/deliveries${filters}`, ...options })

/** A receiver with a configurable response. */
async function aConfigurableReceiver() {
  const told: { answer: (response: ServerResponse) => void } = { answer: (response) => response.writeHead(204).end() }
  const receiver = await aReceiver((response) => told.answer(response))
  return { ...receiver, told }
}

test('a delivery appears live with an explanation of its failure, and can be sent again', async () => {
  const team = await aTeamWithKey(services)
  const receiver = await aConfigurableReceiver()
  const { subscription } = await aSubscription(services, team, receiver.address)
  const page = await open(team)
  await page.getByRole('heading', { name: 'No deliveries yet' }).waitFor()
  await page.getByLabel('Live').check()
  await anEnding(team, 'ready')
  await page.getByRole('button', { name: 'generation.completed #1' }).waitFor()
  await page.getByRole('cell', { name: 'Delivered' }).waitFor()
  await page.getByText('1 new delivery').first().waitFor({ state: 'attached' })

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

test('on a phone only the log scrolls, and a delivery fills the window', async () => {
  const team = await aTeamWithKey(services)
  const { subscription } = await aSubscription(services, team, 'http://127.0.0.1:9/hook')
  await aDeliveryLog(services, subscription.id, 3)
  const page = await open(team, '', { viewport: { width: 360, height: 740 } })
  await page.getByRole('button', { name: 'generation.completed #3' }).click()
  await page.getByRole('heading', { name: 'Payload' }).waitFor()
  await expectNoSidewaysScrolling(page)
  await expectAccessible(page)
})

test('a delivery of another team looks like an unknown one', async () => {
  const [team, other] = [await aTeamWithKey(services), await aTeamWithKey(services)]
  const { subscription } = await aSubscription(services, other, 'http://127.0.0.1:9/hook')
  const [foreign] = await aDeliveryLog(services, subscription.id, 1)
  const page = await aBrowserPage(app, { as: team.user })
  for (const id of [foreign, newId('evt'), 'evt_1']) {
    await page.goto(`/integrations/${team.team.id}/deliveries?delivery=${id}`)
    await page.getByRole('dialog', { name: 'Delivery' }).getByText('This delivery does not exist').waitFor()
  }
})

test('without webhooks the log links to the page that adds one', async () => {
  const page = await open(await aTeamWithKey(services))
  await page.getByRole('heading', { name: 'No webhooks yet' }).waitFor()
  await expectAccessible(page)
  await screenshot(page, 'deliveries-empty')
  await page.getByRole('link', { name: 'Add a webhook' }).click()
  await page.waitForURL('**/webhooks')
})
