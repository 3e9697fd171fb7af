import { afterAll, expect, test } from 'vitest'
import { rotateSecret } from '../../../../src/domain/webhooks/subscriptions/rotateSecret.ts'
import { testApp } from '../../../support/app.ts'
import { aBrowserPage } from '../../../support/browser/browser.ts'
import { expectAccessible, expectNoSidewaysScrolling, screenshot } from '../../../support/browser/browserChecks.ts'
import { aServiceContext, aTeamWithKey } from '../../../support/factories.ts'
import { deliveryRun } from '../../../support/webhooks/deliveryRun.ts'
import { aReceiver } from '../../../support/webhooks/receiver.ts'
import { anEnding, aSubscription, loopback } from '../../../support/webhooks/webhooks.ts'

const app = await testApp({ clock: 'database', settings: loopback })
afterAll(app.close)
const { services } = app
const { logOf, delivering } = deliveryRun(services)

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

test('the charts of a failing webhook are labelled, and its times are hours', async () => {
  const own = await aTeamWithKey(services)
  const { subscription } = await aSubscription(services, own, 'http://127.0.0.1:9/failing')
  await services.pool.query(
    `insert into webhook_hours (subscription_id, hour, delivered, failed)
       select $1, date_trunc('hour', now(), 'UTC') - ago * interval '1 hour', delivered, failed
         from (values (50, 900, 3), (20, 1200, 0), (2, 0, 1854)) as counted (ago, delivered, failed)`,
    [subscription.id],
  )
  await services.pool.query(
    `update webhook_subscriptions set last_delivery_day = (now() at time zone 'UTC')::date, last_delivery_outcome = 'failed' where id = $1`,
    [subscription.id],
  )
  const page = await aBrowserPage(app, { as: own.user, at: `/integrations/${own.team.id}/webhooks` })
  const hours = /\d{2}:\d{2}–\d{2}:\d{2}/
  const row = page.getByRole('row').filter({ hasText: '/failing' })
  await row.waitFor()
  expect(await row.textContent()).toMatch(new RegExp(`Failing.*since .*${hours.source}.*${hours.source}.*Failed`))
  await screenshot(page, 'webhooks-failing')
  await row.getByRole('link', { name: 'http://127.0.0.1:9/failing', exact: true }).click()
  const charts = [
    page.getByRole('img', { name: 'Last 24 hours, by hour: 1,200 delivered, 1,854 failed attempts' }),
    page.getByRole('img', { name: 'Last 30 days, by day in UTC: 2,100 delivered, 1,857 failed attempts' }),
  ]
  const widths = await Promise.all(charts.map(async (chart) => (await chart.boundingBox())?.width))
  expect(widths[0]).toBeGreaterThan(400)
  expect(widths[1]).toBe(widths[0])
  for (const text of ['now', 'today', '1,854 failed attempts', '2,100 delivered']) await page.getByText(text, { exact: true }).waitFor()
  await page.getByText('Highest bar: 1,854', { exact: true }).first().waitFor()
  await expectAccessible(page)
  await screenshot(page, 'webhook-failing')
})

test('the outcome of an attempt has the same words in the table and in the panel', async () => {
  const own = await aTeamWithKey(services)
  const { address } = await aReceiver((response) => response.writeHead(503).end('busy'))
  const { subscription } = await aSubscription(services, own, address)
  await delivering()
  await anEnding(own, 'ready')
  await expect.poll(async () => (await logOf(subscription.id)).map(({ responseCode }) => responseCode)).toEqual([503])
  const page = await aBrowserPage(app, { as: own.user, at: `/integrations/${own.team.id}/webhooks/${subscription.id}` })
  const outcome = { name: 'answered 503', exact: true }
  await page.getByRole('table', { name: 'Last deliveries' }).getByRole('cell', outcome).waitFor()
  await page.getByRole('link', { name: 'generation.completed' }).click()
  await page.getByRole('list', { name: 'Attempts' }).getByText('answered 503', { exact: true }).first().waitFor()
  await page.getByRole('dialog').getByRole('link', { name: /^gen_/ }).click()
  await page.goto(`${page.url().replace('?generation=', '/')}`)
  await page.getByText(/^\d attempts? · answered 503$/).waitFor()
})
