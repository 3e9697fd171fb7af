import { afterAll, expect, test } from 'vitest'
import { testApp } from '../../support/app.ts'
import { aBrowserPage, type BrowserPage } from '../../support/browser/browser.ts'
import { expectNoSidewaysScrolling, screenshot } from '../../support/browser/browserChecks.ts'
import { aTeamWithKey } from '../../support/factories.ts'
import { anEnding, aSubscription, loopback } from '../../support/webhooks/webhooks.ts'

const app = await testApp({ clock: 'database', settings: loopback })
afterAll(app.close)
const { services } = app
const own = await aTeamWithKey(services)
const { subscription } = await aSubscription(services, own, 'http://127.0.0.1:9/hooks/of/a/longer/address')
await anEnding(own, 'ready')
const heading = { level: 1 } as const

/** Controls that react to less than 40 px of height around their centre, with that height. A row that is opened reacts everywhere. */
function lowControls(page: BrowserPage): Promise<string[]> {
  return page.evaluate(`(() => {
    const low = []
    for (const control of document.querySelectorAll('a[href], button, input, select, textarea, summary')) {
      if (control.closest('[aria-hidden="true"], .skip-link, thead') || control.type === 'file') continue
      control.scrollIntoView({ block: 'center' })
      const { left, top, width, height } = control.getBoundingClientRect()
      if (width === 0 || getComputedStyle(control).visibility === 'hidden') continue
      const row = control.matches('[class*=opener]') ? [control.closest('tr')] : []
      const places = [control, ...(control.labels ?? []), ...row]
      const reacts = (y) => places.some((place) => place.contains(document.elementFromPoint(left + width / 2, y)))
      let found = 0
      for (let y = top + height / 2; found < 40 && reacts(y); y += 1) found += 1
      for (let y = top + height / 2 - 1; found < 40 && reacts(y); y -= 1) found += 1
      if (found < 39) low.push((control.ariaLabel ?? control.textContent ?? '') + ': ' + found)
    }
    return low
  })()`)
}

test.each([
  'keys',
  `keys/${own.key.id}`,
  'webhooks',
  `webhooks/${subscription.id}`,
  'deliveries',
  'history',
  'usage',
  'catalog',
  'team',
  'settings',
  'audit',
  'agents',
])('the controls of %s are high enough for a finger', async (screen) => {
  const page = await aBrowserPage(app, {
    as: own.user,
    at: `/integrations/${own.team.id}/${screen}`,
    viewport: { width: 390, height: 800 },
    hasTouch: true,
    isMobile: true,
  })
  await page.getByRole('heading', heading).waitFor()
  await page.waitForLoadState('networkidle')
  expect(await lowControls(page)).toEqual([])
  await expectNoSidewaysScrolling(page)
  await screenshot(page, `touch-${screen.replace(/\W.*/, '')}`)
})

test('with a mouse the controls stay dense, and hints for keyboards are shown', async () => {
  const page = await aBrowserPage(app, { as: own.user, at: `/integrations/${own.team.id}/deliveries` })
  await page.getByText('J and K move between rows, and Enter opens one.').waitFor()
  await page.getByText(/^(Ctrl|⌘) K$/).waitFor()
  expect((await page.getByRole('button', { name: 'Export CSV' }).boundingBox())?.height).toBe(36)
})

test('on a touch screen no hint names keys', async () => {
  const touch = { viewport: { width: 1280, height: 800 }, hasTouch: true, isMobile: true }
  const page = await aBrowserPage(app, { as: own.user, at: `/integrations/${own.team.id}/deliveries`, ...touch })
  await page.getByRole('button', { name: 'Search' }).waitFor()
  await page.getByText('generation.completed').first().waitFor()
  expect(
    await page
      .getByText(/J and K|^(Ctrl|⌘) K$/)
      .filter({ visible: true })
      .count(),
  ).toBe(0)
})
