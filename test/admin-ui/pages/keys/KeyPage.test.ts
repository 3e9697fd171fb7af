import { afterAll, expect, test } from 'vitest'
import { testApp } from '../../../support/app.ts'
import { aBrowserPage } from '../../../support/browser/browser.ts'
import { expectAccessible, expectNoSidewaysScrolling, screenshot } from '../../../support/browser/browserChecks.ts'
import { aTeam, aTeamWithKey } from '../../../support/factories.ts'
import { anEnding } from '../../../support/webhooks/webhooks.ts'

const app = await testApp({ clock: 'database' })
afterAll(app.close)
const { services } = app

test('the page of a key shows its spend, generations, failures and changes, and edits it', async () => {
  const own = await aTeamWithKey(services, { dailyLimitCredits: 50 })
  for (const end of ['ready', 'failed', 'failed'] as const) await anEnding(own, end)
  await services.pool.query(`insert into key_refusals values ($1, current_date, 'rate_limited', 1234, now())`, [own.key.id])
  const page = await aBrowserPage(app, { as: own.user, at: `/integrations/${own.team.id}/keys` })
  await page.getByRole('link', { name: 'test key' }).click()
  await page.getByRole('heading', { name: 'test key', level: 1 }).waitFor()
  await page.getByRole('table', { name: 'Last generations' }).waitFor()
  await page.getByRole('table', { name: 'Failures by code' }).getByRole('cell', { name: '2', exact: true }).waitFor()
  const refusals = page.getByRole('table', { name: 'Refusals by code' }).getByRole('row', { name: 'rate_limited' })
  await refusals.getByRole('cell', { name: '1,234' }).waitFor()
  await page.getByRole('table', { name: 'Audit log' }).getByText('Key issued').waitFor()
  await page.getByRole('img', { name: /Credits of the last 30 days/ }).waitFor()
  await expectAccessible(page)
  await screenshot(page, 'key')
  await page.getByRole('button', { name: 'Edit' }).click()
  await page.getByRole('dialog').getByLabel('Name').fill('renamed')
  const failing = { data: null, errors: [{ message: 'failed', extensions: { code: 'internal_error' } }] }
  await page.route('**/graphql', (route) => route.fulfill({ json: failing }))
  const failed = page.waitForResponse('**/graphql')
  await page.evaluate(`document.dispatchEvent(new Event('visibilitychange'))`)
  await failed
  await page.evaluate('new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)))')
  await page.unrouteAll()
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
  await page.getByRole('heading', { name: 'renamed', level: 1 }).waitFor()
  await services.pool.query('update api_keys set revoked_at = now() where id = $1', [own.key.id])
  await page.evaluate(`document.dispatchEvent(new Event('visibilitychange'))`)
  await page.getByText('Revoked').first().waitFor()
  await page.getByRole('link', { name: 'Audit log', exact: true }).last().click()
  await page.getByText('Only changes of renamed.').waitFor()
  expect(await page.getByRole('row').count()).toBe(3)
})

test('a key of another team, an unknown one and one of a member are not found', async () => {
  const own = await aTeamWithKey(services)
  const { user, team } = await aTeam(services)
  const page = await aBrowserPage(app, { as: user, at: `/integrations/${team.id}/keys/${own.key.id}` })
  await page.getByRole('heading', { name: 'Not found' }).waitFor()
  await page.goto(`/integrations/${team.id}/keys/nonsense`)
  await page.getByRole('heading', { name: 'Not found' }).waitFor()
})

test('the identifier of a key is in one line at every width, and is copied', async () => {
  const own = await aTeamWithKey(services)
  const page = await aBrowserPage(app, { as: own.user, at: `/integrations/${own.team.id}/keys/${own.key.id}` })
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  const id = page.getByText(own.key.id, { exact: true })
  for (const width of [1440, 1024, 390]) {
    await page.setViewportSize({ width, height: 800 })
    expect((await id.boundingBox())?.height).toBeLessThan(24)
  }
  await page.getByRole('button', { name: 'Copy key ID' }).press('Enter')
  await page.getByText('Copied').waitFor()
  expect(await page.evaluate('navigator.clipboard.readText()')).toBe(own.key.id)
})

test('on a phone nothing of it overflows', async () => {
  const own = await aTeamWithKey(services)
  const at = `/integrations/${own.team.id}/keys/${own.key.id}`
  const page = await aBrowserPage(app, { as: own.user, at, viewport: { width: 390, height: 800 } })
  await page.getByText('This key spent nothing in the last 30 days.').waitFor()
  await expectNoSidewaysScrolling(page)
  expect(await page.getByRole('button', { name: 'Rotate' }).isEnabled()).toBe(true)
})
