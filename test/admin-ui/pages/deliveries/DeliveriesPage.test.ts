import { afterAll, test } from 'vitest'
import { newId } from '../../../../src/contract/ids.ts'
import { testApp } from '../../../support/app.ts'
import { aBrowserPage, type PageOptions } from '../../../support/browser/browser.ts'
import { expectAccessible, expectNoSidewaysScrolling, screenshot } from '../../../support/browser/browserChecks.ts'
import { aTeamWithKey, type TeamWithKey } from '../../../support/factories.ts'
import { aDeliveryLog } from '../../../support/webhooks/deliveryLog.ts'
import { aReceiver } from '../../../support/webhooks/receiver.ts'
import { anEnding, aSubscription, loopback } from '../../../support/webhooks/webhooks.ts'

const app = await testApp({ clock: 'database', worker: true, settings: loopback })
afterAll(app.close)
const { services } = app

const open = ({ team, user }: TeamWithKey, options: PageOptions = {}) =>
  aBrowserPage(app, { as: user, at: `/integrations/${team.id}/deliveries`, ...options })

test('a delivery appears live', async () => {
  const team = await aTeamWithKey(services)
  const receiver = await aReceiver()
  await aSubscription(services, team, receiver.address)
  const page = await open(team)
  await page.getByRole('heading', { name: 'No deliveries yet' }).waitFor()
  await page.getByLabel('Live').check()
  await anEnding(team, 'ready')
  await page.getByRole('button', { name: 'generation.completed #1' }).waitFor()
  await page.getByRole('cell', { name: 'Delivered' }).waitFor()
  await page.getByText('1 new delivery').first().waitFor({ state: 'attached' })
})

test('on a phone only the log scrolls, and a delivery fills the window', async () => {
  const team = await aTeamWithKey(services)
  const { subscription } = await aSubscription(services, team, 'http://127.0.0.1:9/hook')
  await aDeliveryLog(services, subscription.id, 3)
  const page = await open(team, { viewport: { width: 360, height: 740 } })
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
