import { afterAll, expect, test } from 'vitest'
import { testApp } from '../../../support/app.ts'
import { aBrowserPage } from '../../../support/browser/browser.ts'
import { expectAccessible, expectNoSidewaysScrolling, screenshot } from '../../../support/browser/browserChecks.ts'
import { aServiceContext, aTeamWithKey } from '../../../support/factories.ts'
import { attemptAllDue } from '../../../support/webhooks/attemptAllDue.ts'
import { aStartWithCallback, failAtOnce } from '../../../support/webhooks/callbacks.ts'
import { loopback } from '../../../support/webhooks/webhooks.ts'

const app = await testApp({ clock: 'database', settings: { ...loopback, webhookFirstRetrySeconds: 600 } })
afterAll(app.close)
const { services } = app

test('an owner reads and rotates the secret of callbacks, and sees the hosts that fail', async () => {
  const own = await aTeamWithKey(services)
  await failAtOnce(services, await aStartWithCallback(own, { url: 'http://127.0.0.1:9/order' }))
  await attemptAllDue(aServiceContext(services))
  const page = await aBrowserPage(app, { as: own.user, at: `/integrations/${own.team.id}/webhooks` })
  const hosts = page.getByRole('table', { name: 'Failing hosts' })
  await hosts.getByText('http://127.0.0.1:9').waitFor()
  await expectAccessible(page)
  await screenshot(page, 'callbacks')

  await page.getByRole('button', { name: 'Show callback secret' }).click()
  const shown = page.getByRole('dialog', { name: 'Callback secret' })
  const secret = await shown.getByLabel('Signing secret').inputValue()
  expect(secret).toMatch(/^whsec_/)
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await shown.waitFor({ state: 'detached' })

  await page.getByRole('button', { name: 'Rotate callback secret' }).click()
  const rotating = page.getByRole('dialog', { name: 'Rotate secret' })
  await rotating.getByRole('button', { name: 'Rotate secret' }).click()
  expect(await rotating.getByLabel('Signing secret').inputValue()).not.toBe(secret)
  await rotating.getByRole('button', { name: 'Done' }).click()
  await page.setViewportSize({ width: 390, height: 800 })
  await expectNoSidewaysScrolling(page)

  await page.getByRole('button', { name: 'Recover failed callbacks' }).click()
  const recovering = page.getByRole('dialog', { name: 'Recover failed' })
  await recovering.getByRole('button', { name: 'Recover' }).click()
  await recovering.getByText('No delivery has failed since then.').waitFor()
  await page.keyboard.press('Escape')
  await recovering.waitFor({ state: 'detached' })
  await page.getByRole('link', { name: 'See their deliveries' }).click()
  await page.getByRole('combobox', { name: 'Webhook' }).waitFor()
  expect(await page.getByRole('combobox', { name: 'Webhook' }).inputValue()).toContain('Callbacks of single generations')
})
