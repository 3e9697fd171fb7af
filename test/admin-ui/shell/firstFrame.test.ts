import { afterAll, expect, test } from 'vitest'
import { testApp } from '../../support/app.ts'
import { aBrowserPage, type BrowserPage } from '../../support/browser/browser.ts'
import { aTeam } from '../../support/factories.ts'

const app = await testApp({ clock: 'database' })
afterAll(app.close)

/** The code that all pages need arrives when the returned function is called. */
async function holdCode(page: BrowserPage): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  await page.route('**/assets/first-*.js', async (route) => {
    await promise
    await route.continue()
  })
  return resolve
}

/** Where a text is, whatever the kind of its element, and how it looks. */
async function looksOf(page: BrowserPage, selector: string) {
  return await page.locator(selector).evaluate((element) => {
    const letters = document.createRange()
    letters.selectNodeContents(element)
    const { x, y, height } = letters.getBoundingClientRect()
    const { fontFamily, fontSize, fontWeight, lineHeight, color } = getComputedStyle(element)
    const ground = getComputedStyle(document.body).backgroundColor
    return { x, y, height, text: element.textContent, fontFamily, fontSize, fontWeight, lineHeight, color, ground }
  })
}

test.each([
  ['phone', 'light', { width: 390, height: 844 }, true],
  ['phone', 'dark', { width: 390, height: 844 }, true],
  ['tablet', 'light', { width: 800, height: 1000 }, true],
  ['narrow window', 'light', { width: 390, height: 844 }, false],
  ['desktop', 'light', { width: 1280, height: 800 }, false],
] as const)(
  'on a %s, %s, the first frame has the heading where the page then has it, before the code arrives',
  async (_name, colorScheme, viewport, hasTouch) => {
    const { user, team } = await aTeam(app.services)
    const page = await aBrowserPage(app, { as: user, viewport, colorScheme, hasTouch })
    const deliver = await holdCode(page)
    await page.goto(`/integrations/${team.id}/history`, { waitUntil: 'commit' })
    const early = [await looksOf(page, '.first-title'), await looksOf(page, '.first-text')]
    deliver()
    await page.getByRole('heading', { level: 1, name: 'History' }).waitFor()
    expect(await page.locator('.first-frame').count()).toBe(0)
    expect(early).toEqual([await looksOf(page, 'h1'), await looksOf(page, 'main header p')])
  },
)

test.each([
  ['/integrations', 'OverviewPage'],
  ['/integrations/sign-in', 'SignInPage'],
])('%s, which may lead elsewhere, begins without the frame of a page', async (path, code) => {
  const { user } = await aTeam(app.services)
  const page = await aBrowserPage(app, { as: user })
  const deliver = await holdCode(page)
  const isLoading = page.waitForRequest(`**/assets/${code}-*.js`)
  await page.goto(path, { waitUntil: 'commit' })
  await isLoading
  expect(await page.locator('#root').innerHTML()).toBe('')
  deliver()
  await page.getByRole('heading', { level: 1 }).waitFor()
})
