import type { Page } from 'playwright-core'
import { afterAll, expect, test } from 'vitest'
import { testApp } from '../../../support/app.ts'
import { aBrowserPage } from '../../../support/browser/browser.ts'
import { expectAccessible, expectNoSidewaysScrolling, screenshot } from '../../../support/browser/browserChecks.ts'
import { aTeam } from '../../../support/factories.ts'
import { runInBash } from '../../../support/processes/runInBash.ts'

const app = await testApp({ clock: 'database', worker: true })
afterAll(app.close)
const { services } = app

async function aKeysPage() {
  const { team, user } = await aTeam(services)
  const page = await aBrowserPage(app, { as: user, at: `/integrations/${team.id}/keys` })
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  return { page, team, user }
}

const dialogOf = (page: Page) => page.getByRole('dialog', { name: 'Issue key' })

async function fill(
  page: Page,
  { name, scopes, ...fields }: { name: string; scopes: string[]; daily?: string; single?: string; expires?: string },
) {
  await page.getByRole('button', { name: 'Issue key' }).click()
  const dialog = dialogOf(page)
  await dialog.getByLabel('Name', { exact: true }).fill(name)
  for (const scope of scopes) await dialog.getByRole('checkbox', { name: scope, exact: true }).check()
  if (fields.daily !== undefined) await dialog.getByLabel('Daily ceiling', { exact: true }).fill(fields.daily)
  if (fields.single !== undefined) await dialog.getByLabel('Single ceiling', { exact: true }).fill(fields.single)
  if (fields.expires !== undefined) await dialog.getByLabel('Expires', { exact: true }).fill(fields.expires)
  return dialog
}

async function issue(page: Page, asked: Parameters<typeof fill>[1]) {
  const dialog = await fill(page, asked)
  await dialog.getByRole('button', { name: 'Issue', exact: true }).click()
  const value = await dialog.getByLabel('Key', { exact: true }).inputValue()
  return { dialog, value, line: (await dialog.getByRole('region', { name: 'Try it' }).textContent()) ?? '' }
}

test('a key is issued with all settings, works in the shown command, and is in the list', async () => {
  const { page, team, user } = await aKeysPage()
  const dialog = await fill(page, {
    name: 'render-bot',
    scopes: ['generations:read', 'generations:write'],
    daily: '12.50',
    single: '1,000',
    expires: '2099-01-31 18:00',
  })
  await dialog.getByText('Ends Sat, 31 Jan 2099, 18:00 in your time zone').waitFor()
  await expectAccessible(page)
  await screenshot(page, 'keys-issue')
  await dialog.getByRole('button', { name: 'Issue', exact: true }).click()
  const value = await dialog.getByLabel('Key', { exact: true }).inputValue()
  expect(value).toMatch(/^atl_\w{49}$/)
  await expectAccessible(page)
  await screenshot(page, 'keys-issued')
  const line = (await dialog.getByRole('region', { name: 'Try it' }).textContent()) ?? ''
  const { status, printed } = await runInBash(line)
  expect(status).toBe('201')
  expect(JSON.parse(printed)).toMatchObject({ state: 'ready', familyId: 'sandbox-image', creditsCharged: 1 })

  await dialog.getByRole('button', { name: 'Copy key' }).click()
  expect(await page.evaluate<string>('navigator.clipboard.readText()')).toBe(value)
  await dialog.getByRole('button', { name: 'Done' }).click()
  await dialog.waitFor({ state: 'detached' })
  const row = page.getByRole('row', { name: 'render-bot' })
  await row.getByText(`${value.slice(0, 12)}…`).waitFor()
  const { rows } = await services.pool.query(
    'select user_id, scopes, daily_limit::int, single_limit::int, expires_at from api_keys where team_id = $1',
    [team.id],
  )
  expect(rows).toEqual([
    {
      user_id: user.id,
      scopes: ['generations:read', 'generations:write'],
      daily_limit: 1250,
      single_limit: 100_000,
      expires_at: new Date('2099-01-31T18:00+01:00'),
    },
  ])
  expect(await page.content()).not.toContain(value)
})

test('closing without copying the key needs a confirmation', async () => {
  const { page } = await aKeysPage()
  const { dialog, value } = await issue(page, { name: 'hasty', scopes: ['catalog:read'] })
  await page.mouse.click(5, 5)
  await page.keyboard.press('Escape')
  await dialog.getByText('You have not copied it').waitFor()
  expect(await dialog.getByLabel('Key', { exact: true }).inputValue()).toBe(value)
  await expectAccessible(page)
  await screenshot(page, 'keys-not-copied')
  await dialog.getByRole('button', { name: 'Close without copying' }).click()
  await dialog.waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Issue key' }).click()
  expect(await dialogOf(page).getByLabel('Name', { exact: true }).inputValue()).toBe('')
})

test('a key can be issued by keyboard only, and the focus returns to its origin', async () => {
  const { page } = await aKeysPage()
  const press = async (...keys: string[]) => {
    for (const key of keys) await page.keyboard.press(key)
  }
  const button = page.getByRole('button', { name: 'Issue key' })
  await button.focus()
  await press('Enter')
  const dialog = dialogOf(page)
  const name = dialog.getByLabel('Name', { exact: true })
  await expect.poll(() => name.evaluate((field) => field === document.activeElement), { timeout: 10_000 }).toBe(true)
  await page.keyboard.type('typed')
  await press('Tab')
  await press('Space', 'Enter')
  await dialog.getByLabel('Key', { exact: true }).waitFor()
  await dialog.getByRole('button', { name: 'Copy key' }).press('Enter')
  await dialog.getByRole('button', { name: 'Done' }).press('Enter')
  await dialog.waitFor({ state: 'detached' })
  await page.getByRole('row', { name: 'typed' }).getByText('catalog:read').waitFor()
  await expect.poll(() => button.evaluate((element) => element === document.activeElement), { timeout: 10_000 }).toBe(true)
})

test('invalid and refused values are reported at their field, and the entered text is kept', async () => {
  const { page, team } = await aKeysPage()
  const dialog = await fill(page, { name: ' ', scopes: [], daily: '1.005', single: 'much', expires: 'soon' })
  const submit = dialog.getByRole('button', { name: 'Issue', exact: true })
  await submit.click()
  for (const words of ['Enter a name', 'Choose at least one.', 'Enter a time like']) await dialog.getByText(words).first().waitFor()
  expect(await dialog.getByLabel('Name', { exact: true }).evaluate((field) => field === document.activeElement)).toBe(true)
  expect(await dialog.getByText('Enter credits with at most two decimals').count()).toBe(2)
  for (const label of ['Name', 'Daily ceiling', 'Single ceiling', 'Expires'])
    expect(await dialog.getByLabel(label, { exact: true }).getAttribute('aria-invalid')).toBe('true')
  await expectAccessible(page)
  await screenshot(page, 'keys-issue-errors')

  await dialog.getByLabel('Name', { exact: true }).fill('n'.repeat(150))
  await dialog.getByLabel('Daily ceiling', { exact: true }).fill('9999999999')
  await dialog.getByLabel('Single ceiling', { exact: true }).fill('')
  await dialog.getByLabel('Expires', { exact: true }).fill('')
  await dialog.getByRole('checkbox', { name: 'catalog:read' }).check()
  await submit.click()
  await dialog.getByText('Takes at most 100 characters.').waitFor()
  await dialog.getByLabel('Name', { exact: true }).fill('short')
  await submit.click()
  await dialog.getByText('Takes at most 1000000000 credits.').waitFor()
  expect(await dialog.getByRole('checkbox', { name: 'catalog:read' }).isChecked()).toBe(true)
  const { rows } = await services.pool.query('select count(*)::int as keys from api_keys where team_id = $1', [team.id])
  expect(rows).toEqual([{ keys: 0 }])
})

test('after a lost answer the dialog says that the key may exist, and where to look', async () => {
  const { page } = await aKeysPage()
  await page.route('**/graphql', async (route) => {
    const isIssue = route.request().postData()?.includes('issueApiKey') ?? false
    if (isIssue) await route.fetch()
    await (isIssue ? route.abort() : route.continue())
  })
  const dialog = await fill(page, { name: 'lost one', scopes: ['catalog:read'] })
  await dialog.getByRole('button', { name: 'Issue', exact: true }).click()
  await dialog.getByText('It is not known whether the key was issued').waitFor()
  await expectAccessible(page)
  await screenshot(page, 'keys-lost')
  await dialog.getByRole('button', { name: 'Look for it' }).click()
  await page.getByRole('row', { name: 'lost one' }).waitFor()
  expect(new URL(page.url()).searchParams.get('search')).toBe('lost one')
})

test('the dialog fits a phone', async () => {
  const { page } = await aKeysPage()
  await page.setViewportSize({ width: 360, height: 740 })
  await page.getByRole('button', { name: 'Issue key' }).click()
  const hint = await dialogOf(page).getByText('What the key may do.').boundingBox()
  const presets = await dialogOf(page).getByRole('group', { name: 'Presets of scopes' }).boundingBox()
  expect(presets?.y).toBeGreaterThanOrEqual((hint?.y ?? 0) + (hint?.height ?? 0))
  await dialogOf(page).getByRole('button', { name: 'Cancel' }).click()
  const { dialog } = await issue(page, { name: 'phone', scopes: ['generations:read', 'generations:write'] })
  await expectNoSidewaysScrolling(page)
  const box = await dialog.getByRole('button', { name: 'Copy key' }).boundingBox()
  expect((box?.x ?? 999) + (box?.width ?? 0)).toBeLessThanOrEqual(360)
})

test('the end of a key is chosen in the calendar, and shown as on the page', async () => {
  const { page } = await aKeysPage()
  const dialog = await fill(page, { name: 'dated', scopes: [], expires: '31 Jan 2099, 18:00' })
  await dialog.getByText(/^Ends Sat.* 31 Jan 2099/).waitFor()
  await page.evaluate(() => {
    HTMLInputElement.prototype.showPicker = function pickAnotherDay() {
      Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(this, this.value.replace('-31T', '-30T'))
      this.dispatchEvent(new Event('input', { bubbles: true }))
    }
  })
  await dialog.getByRole('button', { name: 'Open calendar' }).press('Enter')
  await dialog.getByText(/^Ends Fri.* 30 Jan 2099/).waitFor()
  expect(await dialog.getByLabel('Expires', { exact: true }).inputValue()).toBe('30 Jan 2099, 18:00')
})
