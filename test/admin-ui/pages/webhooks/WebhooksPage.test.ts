import type { Page } from 'playwright-core'
import { afterAll, expect, test } from 'vitest'
import { testApp } from '../../../support/app.ts'
import { aBrowserPage } from '../../../support/browser/browser.ts'
import { expectAccessible, expectNoSidewaysScrolling, screenshot } from '../../../support/browser/browserChecks.ts'
import { aTeamWithKey, type TeamWithKey } from '../../../support/factories.ts'
import { attemptHours } from '../../../support/webhooks/attemptHours.ts'
import { deliveryRun } from '../../../support/webhooks/deliveryRun.ts'
import { aReceiver } from '../../../support/webhooks/receiver.ts'
import { anEnding, aSubscription, loopback } from '../../../support/webhooks/webhooks.ts'

const app = await testApp({ clock: 'database', worker: true, settings: loopback })
afterAll(app.close)
const { services } = app
const { logOf } = deliveryRun(services)

const open = ({ team, user }: TeamWithKey, options: object = {}) =>
  aBrowserPage(app, { as: user, at: `/integrations/${team.id}/webhooks`, ...options })

async function choose(page: Page, address: string, action: string): Promise<void> {
  await page.getByRole('button', { name: `Actions for ${address}` }).click()
  await page.getByRole('menuitem', { name: action }).click()
}

test('a webhook is added from the empty page; an invalid address is refused at its field; the secret is shown once', async () => {
  const team = await aTeamWithKey(services)
  const { address } = await aReceiver()
  const page = await open(team)
  await page.getByRole('heading', { name: 'No webhooks yet' }).waitFor()
  await expectAccessible(page)
  await screenshot(page, 'webhooks-empty')
  await page.getByRole('button', { name: 'Add your first webhook' }).click()
  const dialog = page.getByRole('dialog', { name: 'Add webhook' })
  for (const [refused, words] of [
    ['', /1 to 2.?048 characters|Takes/],
    ['https://10.0.0.1/hook', /address is private/],
    ['http://93.184.216.34/hook', /not https/],
  ] as const) {
    await dialog.getByLabel('Address').fill(refused)
    await dialog.getByRole('button', { name: 'Add', exact: true }).click()
    await dialog.getByText(words).waitFor()
    expect(await dialog.getByLabel('Address').getAttribute('aria-invalid')).toBe('true')
  }
  await screenshot(page, 'webhooks-add-refused')
  await expectAccessible(page)
  await dialog.getByLabel('Address').fill(address)
  await dialog.getByLabel('generation.cancelled').uncheck()
  await dialog.getByRole('button', { name: 'Add', exact: true }).click()
  const secret = await dialog.getByLabel('Signing secret').inputValue()
  expect(secret).toMatch(/^whsec_/)
  expect(await dialog.getByRole('region', { name: 'Verify it' }).textContent()).toContain('WEBHOOK_SECRET')
  await expectAccessible(page)
  await screenshot(page, 'webhooks-secret')
  await page.keyboard.press('Escape')
  await dialog.getByText('You have not copied it').waitFor()
  await dialog.getByRole('button', { name: 'Copy secret' }).click()
  await dialog.getByRole('button', { name: 'Done' }).click()
  await page.getByRole('row').getByText(address, { exact: true }).waitFor()
  await page.getByText('generation.failed').waitFor()
  expect(await page.getByText('generation.cancelled').count()).toBe(0)
  expect(await page.content()).not.toContain(secret)
})

test('the list shows the health of each webhook, and links to its deliveries', async () => {
  const team = await aTeamWithKey(services)
  const well = await aReceiver()
  const broken = await aReceiver((response) => response.writeHead(500).end('no'))
  await aSubscription(services, team, well.address)
  const { subscription } = await aSubscription(services, team, broken.address, ['generation.failed'])
  await anEnding(team, 'ready')
  await anEnding(team, 'failed')
  await expect.poll(async () => (await logOf(subscription.id)).map(({ state }) => state), { timeout: 10_000 }).toEqual(['failed'])
  const page = await open(team)
  await page.getByRole('img', { name: 'Last 24 hours: 2 delivered, 0 failed attempts' }).waitFor()
  await page.getByRole('img', { name: 'Last 24 hours: 0 delivered, 7 failed attempts' }).waitFor()
  expect(await page.getByRole('row').filter({ hasText: well.address }).textContent()).toContain('100%')
  expect(await page.getByRole('row').filter({ hasText: broken.address }).textContent()).toMatch(
    /Failing.*in the last hour.*0%.*In the last hour.*Failed/,
  )
  await expectAccessible(page)
  await screenshot(page, 'webhooks-full')
  await page.getByRole('link', { name: `Deliveries of ${broken.address}` }).click()
  await page.waitForURL(`**/deliveries?webhook=${subscription.id}`)

  const phone = await open(team, { viewport: { width: 360, height: 740 } })
  await phone.getByRole('row').getByText(well.address, { exact: true }).waitFor()
  await expectNoSidewaysScrolling(phone)
})

test('a webhook can be edited, paused and resumed, with an explanation of the pause', async () => {
  const team = await aTeamWithKey(services)
  const { address } = await aReceiver()
  await aSubscription(services, team, address)
  const page = await open(team)
  await choose(page, address, 'Edit')
  const dialog = page.getByRole('dialog', { name: 'Edit webhook' })
  await dialog.getByLabel('generation.completed').uncheck()
  await dialog.getByLabel('generation.failed').uncheck()
  await dialog.getByLabel('generation.cancelled').uncheck()
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.getByText('Takes one or more events.').waitFor()
  await dialog.getByLabel('generation.failed').check()
  await expectAccessible(page)
  await screenshot(page, 'webhooks-edit')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.waitFor({ state: 'detached' })
  await page.getByText('generation.completed').waitFor({ state: 'detached' })

  await choose(page, address, 'Pause')
  await page.getByText('Events are neither recorded nor sent.', { exact: true }).waitFor()
  await expectAccessible(page)
  await page.getByRole('button', { name: `Actions for ${address}` }).click()
  expect(await page.getByRole('menuitem', { name: 'Send test event' }).isDisabled()).toBe(true)
  await expectAccessible(page)
  await screenshot(page, 'webhooks-menu')
  await page.getByRole('menuitem', { name: 'Resume' }).click()
  await page.getByText('Active').waitFor()
})

test('a webhook that failed for days shows its pause and its stored events, and a resume leads to recovering them', async () => {
  const team = await aTeamWithKey(services)
  const receiver = await aReceiver()
  const { subscription } = await aSubscription(services, team, receiver.address)
  await services.pool.query(`update webhook_subscriptions set auto_paused_at = now() - interval '1 hour' where id = $1`, [subscription.id])
  await anEnding(team)
  await anEnding(team)
  const aged = `update webhook_deliveries set created_at = now() - interval '3 days' where subscription_id = $1 and event_number = 1`
  await services.pool.query(aged, [subscription.id])
  await attemptHours(services, () => services.clock.now()).failed(subscription.id, { fromHoursAgo: 96, toHoursAgo: 1 })
  const page = await open(team)
  const row = page.getByRole('row').filter({ hasText: receiver.address })
  await row.getByText('every attempt failed for days').waitFor()
  expect(await row.textContent()).toMatch(/Paused.*kept as failed deliveries for 30 days/)
  await expectAccessible(page)
  await screenshot(page, 'webhooks-auto-paused')
  await choose(page, receiver.address, 'Resume')
  const dialog = page.getByRole('dialog', { name: 'Recover failed' })
  await dialog.getByText('events that failed in the days before the pause').waitFor()
  await expectAccessible(page)
  await screenshot(page, 'webhooks-auto-paused-resumed')
  await dialog.getByRole('button', { name: 'Recover', exact: true }).click()
  await dialog.getByText('2 deliveries will be sent again.').waitFor()
  await expect.poll(() => receiver.ids(), { timeout: 10_000 }).toHaveLength(2)
  await row.getByText('Failing').waitFor()
})

test('a secret is rotated with an overlap, which the list shows', async () => {
  const team = await aTeamWithKey(services)
  const { address } = await aReceiver()
  const { signingSecret } = await aSubscription(services, team, address)
  const page = await open(team)
  await choose(page, address, 'Rotate secret')
  const dialog = page.getByRole('dialog', { name: 'Rotate secret' })
  await dialog.getByLabel('Overlap').fill('25')
  await dialog.getByText('Takes whole hours, 0 to 24.').waitFor()
  await dialog.getByLabel('Overlap').fill('0')
  await dialog.getByText(/stops at once/).waitFor()
  await dialog.getByLabel('Overlap').fill('2')
  await expectAccessible(page)
  await screenshot(page, 'webhooks-rotate')
  await dialog.getByRole('button', { name: 'Rotate secret' }).click()
  expect(await dialog.getByLabel('Signing secret').inputValue()).not.toBe(signingSecret)
  await dialog.getByRole('button', { name: 'Copy secret' }).click()
  await dialog.getByRole('button', { name: 'Done' }).click()
  await page.getByText(/The old secret also signs until/).waitFor()
})

test('a test event opens its delivery', async () => {
  const team = await aTeamWithKey(services)
  const { address } = await aReceiver()
  await aSubscription(services, team, address)
  const page = await open(team)
  await choose(page, address, 'Send test event')
  const panel = page.getByRole('dialog', { name: 'Delivery' })
  await panel.getByText('Delivered').waitFor()
  await panel.getByText('Test', { exact: true }).waitFor()
})

test('failed deliveries since a time are sent again, and their number is shown', async () => {
  let isWell = false
  const receiver = await aReceiver((response) => response.writeHead(isWell ? 204 : 500).end())
  const team = await aTeamWithKey(services)
  const { subscription } = await aSubscription(services, team, receiver.address)
  await anEnding(team)
  await anEnding(team)
  const states = async () => (await logOf(subscription.id)).map(({ state }) => state)
  await expect.poll(states, { timeout: 10_000 }).toEqual(['failed', 'failed'])
  isWell = true
  const page = await open(team)
  await choose(page, receiver.address, 'Recover failed')
  const dialog = page.getByRole('dialog', { name: 'Recover failed' })
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Recover', exact: true }).click()
  await dialog.getByText('2 deliveries will be sent again.').waitFor()
  await expectAccessible(page)
  await screenshot(page, 'webhooks-recover')
  await expect.poll(states, { timeout: 10_000 }).toEqual(['delivered', 'delivered'])
  await dialog.getByRole('button', { name: 'Recover', exact: true }).click()
  await dialog.getByText('No delivery has failed since then.').waitFor()
})

test('a webhook is deleted after a confirmation, and its log stays', async () => {
  const team = await aTeamWithKey(services)
  const { address } = await aReceiver()
  await aSubscription(services, team, address)
  const page = await open(team)
  await choose(page, address, 'Delete')
  await page.getByRole('dialog', { name: 'Delete this webhook?' }).getByText(address).waitFor()
  await expectAccessible(page)
  await screenshot(page, 'webhooks-delete')
  await page.getByRole('button', { name: 'Delete webhook' }).click()
  await page.getByRole('heading', { name: 'No webhooks yet' }).waitFor()
})
