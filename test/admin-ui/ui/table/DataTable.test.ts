import { afterAll, expect, test } from 'vitest'
import { testApp } from '../../../support/app.ts'
import { aBrowserPage } from '../../../support/browser/browser.ts'
import { aTeamWithKey } from '../../../support/factories.ts'

const app = await testApp({ clock: 'database' })
afterAll(app.close)
const { services } = app
const patiently = { timeout: 10_000 }

test('a row opens by keyboard, and the focus returns to it', async () => {
  const { team, user, value } = await aTeamWithKey(services)
  await app.ask('POST /generations', { key: value, body: { familyId: 'sandbox-image', prompt: 'a boat' } })
  const page = await aBrowserPage(app, { as: user, at: `/integrations/${team.id}/history` })
  const opener = page.getByRole('row').nth(1).getByRole('button').first()
  await opener.waitFor()
  await page.getByRole('row').first().getByRole('checkbox').focus()
  const isFocused = () => opener.evaluate((element) => element === document.activeElement)
  // The box that selects this row comes first.
  for (let tabs = 0; tabs < 2 && !(await isFocused()); tabs += 1) await page.keyboard.press('Tab')
  expect(await isFocused()).toBe(true)
  await page.keyboard.press('Enter')
  const panel = page.getByRole('dialog', { name: 'Generation' })
  await panel.getByText('sandbox-image').first().waitFor()
  await page.keyboard.press('Escape')
  await panel.waitFor({ state: 'detached' })
  await expect.poll(isFocused, patiently).toBe(true)
})

test('only the page scrolls a table, whose headings stay; a row opens by keyboard, and controls in it work on their own', async () => {
  const { team, user } = await aTeamWithKey(services)
  const page = await aBrowserPage(app, { as: user, at: `/integrations/${team.id}/catalog` })
  const row = page.getByRole('row').filter({ hasText: 'sandbox-image' })
  const headings = page.getByRole('row').first()
  for (const width of [1440, 1024, 800]) {
    await page.setViewportSize({ width, height: 400 })
    await row.waitFor()
    await page.mouse.move(width - 100, 300)
    await page.mouse.wheel(0, 10_000)
    // The bar at the top of narrow windows is 56 px high.
    await expect.poll(async () => Math.round((await headings.boundingBox())?.y ?? -1), patiently).toBe(width === 800 ? 56 : 0)
    expect(await page.getByRole('table').evaluate(({ parentElement: box }) => box && box.scrollHeight > box.clientHeight)).toBe(false)
  }
  await page.setViewportSize({ width: 1280, height: 800 })
  await row.getByRole('switch').focus()
  await page.keyboard.press('Space')
  await page.getByRole('dialog').getByRole('button', { name: 'Switch off' }).click()
  await expect.poll(() => row.getByRole('switch').isChecked(), patiently).toBe(false)
  expect(new URL(page.url()).pathname).toBe(`/integrations/${team.id}/catalog`)
  await row.getByRole('link').focus()
  await page.keyboard.press('Enter')
  await page.waitForURL(`**/${team.id}/catalog/sandbox-image`)
})
