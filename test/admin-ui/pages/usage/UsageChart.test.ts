import { afterAll, expect, test } from 'vitest'
import { testApp } from '../../../support/app.ts'
import { aBrowserPage } from '../../../support/browser/browser.ts'
import { expectAccessible, expectNoSidewaysScrolling, screenshot } from '../../../support/browser/browserChecks.ts'
import { aTeamWithKey } from '../../../support/factories.ts'
import { anEnding } from '../../../support/webhooks/webhooks.ts'

const app = await testApp({ clock: 'database' })
afterAll(app.close)

test.each([390, 1024, 1440])('at %d px the chart, its legend and its days fit into their card', async (width) => {
  const own = await aTeamWithKey(app.services)
  await anEnding(own, 'ready')
  const page = await aBrowserPage(app, { as: own.user, at: `/integrations/${own.team.id}/usage`, viewport: { width, height: 844 } })
  const chart = page.getByRole('img', { name: /Daily credits/ })
  await chart.locator('svg text').first().waitFor()
  const card = await chart.boundingBox()
  if (!card) throw new Error('the chart is not visible')
  for (const part of await chart.locator('svg text, svg path.recharts-rectangle').all()) {
    const box = await part.boundingBox()
    if (!box) continue
    expect(box.x).toBeGreaterThanOrEqual(card.x)
    expect(box.x + box.width).toBeLessThanOrEqual(card.x + card.width)
  }
  const days = chart.locator('svg text', { hasText: /^\d+ [A-Z]/ })
  const sides = await days.evaluateAll((texts) => texts.map((text) => text.getBoundingClientRect()).map(({ left, right }) => [left, right]))
  expect(sides.length).toBeGreaterThan(2)
  for (const [index, [left = 0]] of sides.entries()) expect(left).toBeGreaterThan(sides[index - 1]?.[1] ?? 0)
  await chart.scrollIntoViewIfNeeded()
  await expectNoSidewaysScrolling(page)
  await expectAccessible(page)
  if (width === 390) await screenshot(page, 'usage-chart')
})
