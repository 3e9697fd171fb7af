import type { Route } from 'playwright-core'
import { afterAll, expect, test } from 'vitest'
import { testApp } from '../../../support/app.ts'
import { aBrowserPage, type BrowserPage } from '../../../support/browser/browser.ts'
import { aTeamWithKey } from '../../../support/factories.ts'

const soon = { timeout: 10_000 }
const app = await testApp({ clock: 'database' })
afterAll(app.close)
const { services } = app

/** The box of each visible part of the filter bar. */
async function boxesOf(page: BrowserPage) {
  const parts = await page.getByRole('group', { name: 'Filters' }).locator(':scope > *').all()
  const boxes = await Promise.all(parts.map((part) => part.boundingBox()))
  return boxes.filter((box) => box !== null && box.width > 0)
}

test.each([1440, 1024])(
  'at %d px the lists of filters load after the rows, and neither they nor the count shift the layout',
  async (width) => {
    const { team, user, value: key } = await aTeamWithKey(services)
    for (let count = 0; count < 26; count += 1)
      await app.ask('POST /generations', { key, body: { familyId: 'sandbox-image', prompt: `number ${count}` } })
    const page = await aBrowserPage(app, { as: user, viewport: { width, height: 800 } })
    await page.addInitScript(`window.moved = 0
    new PerformanceObserver((list) => list.getEntries().forEach(({ value }) => (moved += value))).observe({ type: 'layout-shift' })`)
    const held = Promise.withResolvers<Route>()
    await page.route('**/graphql', async (route) => {
      if (route.request().postDataJSON().operationName === 'History') held.resolve(route)
      else await route.fallback()
    })
    await page.goto(`/integrations/${team.id}/history`)
    await page.getByRole('textbox', { name: 'Search' }).waitFor()
    const boxes = await boxesOf(page)
    expect(await page.getByText('State', { exact: true }).isVisible()).toBe(true)
    expect(await page.getByRole('combobox').count()).toBe(0)
    await page.unroute('**/graphql')
    await (await held.promise).fallback()
    await expect.poll(() => page.getByRole('row').count(), soon).toBe(1 + 24)
    await page.getByText('26 generations', { exact: true }).waitFor()
    await page.getByRole('combobox', { name: 'State' }).click()
    await page.getByRole('option', { name: 'Ready' }).waitFor()
    expect(await boxesOf(page)).toEqual(boxes)
    expect(await page.evaluate('moved')).toBe(0)
  },
)
