import { afterAll, expect, test } from 'vitest'
import { testApp } from '../../../support/app.ts'
import { aBrowserPage } from '../../../support/browser/browser.ts'
import { expectAccessible, expectNoSidewaysScrolling, screenshot } from '../../../support/browser/browserChecks.ts'
import { aTeamWithKey } from '../../../support/factories.ts'
import { aSubscription, loopback } from '../../../support/webhooks/webhooks.ts'

const app = await testApp({ clock: 'database', settings: loopback })
afterAll(app.close)
const { services } = app

test('an alert is added, edited, paused and deleted', async () => {
  const { team, user } = await aTeamWithKey(services)
  const page = await aBrowserPage(app, { as: user, at: `/integrations/${team.id}/webhooks` })
  await page.getByText('No address receives alerts about low credits').waitFor()
  await page.getByRole('button', { name: 'Add alert' }).click()
  const adding = page.getByRole('dialog', { name: 'Add alert' })
  await adding.getByLabel('Address').fill('http://127.0.0.1:9/alerts')
  await adding.getByRole('checkbox', { name: 'plan.expiring' }).uncheck()
  await expectAccessible(page)
  await adding.getByRole('button', { name: 'Add', exact: true }).click()
  expect(await adding.getByLabel('Signing secret').inputValue()).toMatch(/^whsec_/)
  await adding.getByRole('button', { name: 'Done' }).click()

  const row = page.getByRole('table', { name: 'Alerts' }).getByRole('row', { name: 'http://127.0.0.1:9/alerts' })
  await row.getByText('credits.low, key.near_ceiling, webhook.failing, key.expiring').waitFor()
  await expectAccessible(page)
  await screenshot(page, 'alerts')
  const menu = async (name: string) => {
    await page.getByRole('button', { name: 'Actions for http://127.0.0.1:9/alerts' }).click()
    await page.getByRole('menuitem', { name }).click()
  }
  await menu('Edit')
  const editing = page.getByRole('dialog', { name: 'Edit alert' })
  await editing.getByRole('checkbox', { name: 'credits.low' }).uncheck()
  await editing.getByRole('button', { name: 'Save' }).click()
  await row.getByText('key.near_ceiling, webhook.failing, key.expiring', { exact: true }).waitFor()
  await menu('Rotate secret')
  const rotating = page.getByRole('dialog', { name: 'Rotate secret' })
  await rotating.getByText('http://127.0.0.1:9/alerts').waitFor()
  await rotating.getByRole('button', { name: 'Rotate secret' }).click()
  expect(await rotating.getByLabel('Signing secret').inputValue()).toMatch(/^whsec_/)
  await rotating.getByRole('button', { name: 'Done' }).click()
  await menu('Send test event')
  const delivery = page.getByRole('dialog', { name: 'Delivery' })
  await delivery.getByText('key.near_ceiling').first().waitFor()
  await delivery.getByText('Alert', { exact: true }).waitFor()
  await expectAccessible(page)
  expect(await page.getByRole('combobox', { name: 'Webhook' }).inputValue()).toBe('Alerts to http://127.0.0.1:9/alerts')
  await page.goto(`${page.url().split('/deliveries')[0]}/webhooks`)
  await menu('Pause')
  await row.getByText('Paused').waitFor()
  await page.setViewportSize({ width: 390, height: 800 })
  await expectNoSidewaysScrolling(page)
  await menu('Delete')
  await page.getByRole('dialog').getByRole('button', { name: 'Delete alert' }).click()
  await page.getByText('No address receives alerts about low credits').waitFor()
})

test('a second webhook with the same address asks first', async () => {
  const own = await aTeamWithKey(services)
  const address = 'http://127.0.0.1:9/hooks'
  await aSubscription(services, own, address)
  const page = await aBrowserPage(app, { as: own.user, at: `/integrations/${own.team.id}/webhooks` })
  await page.getByRole('link', { name: address, exact: true }).waitFor()
  await page.getByRole('button', { name: 'Add webhook' }).click()
  const adding = page.getByRole('dialog', { name: 'Add webhook' })
  await adding.getByLabel('Address').fill(address)
  await adding.getByRole('button', { name: 'Add', exact: true }).click()
  await adding.getByText('It would get each event twice.').waitFor()
  await adding.getByRole('button', { name: 'Add', exact: true }).click()
  await adding.getByLabel('Signing secret').waitFor()
})
