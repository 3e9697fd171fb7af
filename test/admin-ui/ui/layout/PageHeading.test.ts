import { afterAll, expect, test } from 'vitest'
import { testApp } from '../../../support/app.ts'
import { aBrowserPage } from '../../../support/browser/browser.ts'
import { expectAccessible, screenshot } from '../../../support/browser/browserChecks.ts'
import { aTeamWithKey } from '../../../support/factories.ts'

const app = await testApp({ clock: 'database' })
afterAll(app.close)
const { services } = app
const own = await aTeamWithKey(services)
const name = 'the key of the studio in the north that makes each picture of the catalogue at night'
await services.pool.query('update api_keys set name = $2 where id = $1', [own.key.id, name])

type Box = { left: number; right: number; top: number; bottom: number }

test.each([
  [1440, false],
  [1024, false],
  [390, false],
  [390, true],
])('at %i px, touch %s, the link to the guide follows the last word of a long title', async (width, hasTouch) => {
  const at = `/integrations/${own.team.id}/keys/${own.key.id}`
  const page = await aBrowserPage(app, { as: own.user, at, viewport: { width, height: 800 }, hasTouch })
  const heading = page.getByRole('heading', { level: 1, name, exact: true })
  const lines = await heading.evaluate((title): Box[] => [...title.getClientRects()].map((line) => line.toJSON()))
  const icon = await page
    .getByRole('link', { name: 'Help' })
    .locator('svg')
    .evaluate((drawn): Box => drawn.getBoundingClientRect().toJSON())
  const last = lines.at(-1)
  expect(lines.length).toBeGreaterThan(1)
  expect(icon.left - (last?.right ?? 0)).toSatisfy((gap: number) => gap > 0 && gap < 20)
  expect(icon).toSatisfy(({ top, bottom }: Box) => top > (last?.top ?? 0) && bottom < (last?.bottom ?? 0))
  await expectAccessible(page)
  await screenshot(page, `heading-${width}${hasTouch ? '-touch' : ''}`)
})
