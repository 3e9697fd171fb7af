import { afterAll, expect, test } from 'vitest'
import { testApp } from '../../../support/app.ts'
import { aBrowserPage, type BrowserPage } from '../../../support/browser/browser.ts'
import { aTeamWithKey } from '../../../support/factories.ts'

const soon = { timeout: 10_000 }
const app = await testApp({ clock: 'database' })
afterAll(app.close)
const own = await aTeamWithKey(app.services)
const list = `/integrations/${own.team.id}/history`
for (const body of [
  { familyId: 'sandbox-3d', prompt: 'a boat' },
  { familyId: 'sandbox-image', prompt: 'too long' },
  { familyId: 'sandbox-image', prompt: 'a queue' },
])
  await app.ask('POST /generations', { key: own.value, body })

/** Checks the rows below the headings. */
async function expectRows(page: BrowserPage, ...words: string[]): Promise<void> {
  const rows = page.getByRole('table', { name: 'Generations' }).getByRole('row')
  await expect.poll(async () => (await rows.allTextContents()).slice(1), soon).toEqual(words.map((each) => expect.stringContaining(each)))
}

test('Back closes the panel, and so does closing it, which leaves no entry behind', async () => {
  const page = await aBrowserPage(app, { as: own.user, at: list })
  await page.getByRole('button', { name: /a queue/ }).click()
  const panel = page.getByRole('dialog', { name: 'Generation' })
  await panel.waitFor()
  await page.goBack()
  await panel.waitFor({ state: 'detached' })
  expect(new URL(page.url()).pathname).toBe(list)
  await page.getByRole('button', { name: /a queue/ }).click()
  await panel.getByText('a queue').first().waitFor()
  await panel.getByRole('button', { name: 'Close', exact: true }).click()
  await panel.waitFor({ state: 'detached' })
  expect(await page.evaluate(() => window.history.state.usr ?? null)).toBeNull()
})

test('Back undoes one filter at a time, and with it all that was typed in a field', async () => {
  const page = await aBrowserPage(app, { as: own.user, at: list })
  const filters = () => Object.fromEntries(new URL(page.url()).searchParams)
  await page.getByRole('combobox', { name: 'Family', exact: true }).click()
  await page.getByRole('option', { name: 'Sandbox Image' }).click()
  await expectRows(page, 'a queue', 'too long')
  for (const typed of ['too', 'too long']) {
    await page.getByRole('textbox', { name: 'Search' }).fill(typed)
    await expect.poll(filters, soon).toEqual({ family: 'sandbox-image', search: typed })
  }
  await page.getByRole('combobox', { name: 'State', exact: true }).click()
  await page.getByRole('option', { name: 'Queued' }).click()
  await expect.poll(filters, soon).toEqual({ family: 'sandbox-image', search: 'too long', state: 'QUEUED' })
  await page.getByRole('button', { name: /too long/ }).click()
  await page.getByRole('dialog', { name: 'Generation' }).waitFor()
  await page.goBack()
  await expect.poll(filters, soon).toEqual({ family: 'sandbox-image', search: 'too long', state: 'QUEUED' })
  await page.goBack()
  await expect.poll(filters, soon).toEqual({ family: 'sandbox-image', search: 'too long' })
  await page.goBack()
  await expectRows(page, 'a queue', 'too long')
  expect(await page.getByRole('textbox', { name: 'Search' }).inputValue()).toBe('')
  await page.goBack()
  await expectRows(page, 'a queue', 'too long', 'a boat')
  await page.goForward()
  await expect.poll(filters, soon).toEqual({ family: 'sandbox-image' })
})
