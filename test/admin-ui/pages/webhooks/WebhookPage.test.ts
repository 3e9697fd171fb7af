import { afterAll, expect, test } from 'vitest'
import { rotateSecret } from '../../../../src/domain/webhooks/subscriptions/rotateSecret.ts'
import { testApp } from '../../../support/app.ts'
import { aBrowserPage } from '../../../support/browser/browser.ts'
import { expectAccessible, expectNoSidewaysScrolling, screenshot } from '../../../support/browser/browserChecks.ts'
import { aServiceContext, aTeamWithKey } from '../../../support/factories.ts'
import { anEnding, aSubscription, loopback } from '../../../support/webhooks/webhooks.ts'

const app = await testApp({ clock: 'database', settings: loopback })
afterAll(app.close)
const { services } = app

test('the page of a webhook shows its health, deliveries and secret, and deletes it', async () => {
  const own = await aTeamWithKey(services)
  const address = 'http://127.0.0.1:9/hooks'
  const { subscription } = await aSubscription(services, own, address)
  await anEnding(own, 'ready')
  await rotateSecret(aServiceContext(services), { id: subscription.id, overlapHours: 2 })
  const page = await aBrowserPage(app, { as: own.user, at: `/integrations/${own.team.id}/webhooks` })
  await page.getByRole('link', { name: address, exact: true }).click()
  await page.getByRole('heading', { name: address, level: 1 }).waitFor()
  await page.getByText('The old one also signs until').waitFor()
  await page.getByText('No delivery was attempted in the last 30 days.').waitFor()
  await page.getByText('Open deliveries: 0 retrying, 1 waiting.').waitFor()
  await page.getByRole('table', { name: 'Last deliveries' }).getByText('generation.completed').waitFor()
  await page.getByRole('table', { name: 'Audit log' }).getByText('Webhook secret rotated').waitFor()
  await expectAccessible(page)
  await screenshot(page, 'webhook')
  await services.pool.query('update webhook_subscriptions set paused = true where id = $1', [subscription.id])
  await page.evaluate(`document.dispatchEvent(new Event('visibilitychange'))`)
  await page.getByText('Paused').waitFor()
  await page.setViewportSize({ width: 390, height: 800 })
  await expectNoSidewaysScrolling(page)
  await page.getByRole('button', { name: `Actions for ${address}` }).click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete webhook' }).click()
  await page.getByRole('heading', { name: 'Webhooks', level: 1 }).waitFor()
  const { rows } = await services.pool.query('select deleted_at is not null as deleted from webhook_subscriptions where id = $1', [
    subscription.id,
  ])
  expect(rows).toEqual([{ deleted: true }])
})
