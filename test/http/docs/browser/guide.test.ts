import type { Page } from 'playwright-core'
import { afterAll, expect, test } from 'vitest'
import { testApp } from '../../../support/app.ts'
import { aBrowserPage } from '../../../support/browser/browser.ts'
import { expectAccessible, expectNoSidewaysScrolling, screenshot } from '../../../support/browser/browserChecks.ts'

// A page fails its test when it requests another origin or violates its content security policy.
const app = await testApp()
afterAll(app.close)

const key = 'atl_0123456789abcdef'
const copied = (page: Page) => page.evaluate<string>('navigator.clipboard.readText()')

test('the search works with the keyboard, and opens a result without a page load', async () => {
  const page = await aBrowserPage(app, { at: '/docs/guides' })
  await page.evaluate('window.stayed = true')
  await page.keyboard.press('/')
  await page.keyboard.type('insufficient cred')
  await expect.poll(() => page.getByRole('option').first().textContent()).toMatch(/^Errors › insufficient_credits/)
  await expectAccessible(page)
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('Enter')
  await page.waitForURL('**/docs/errors#insufficient_credits')
  await page.getByRole('heading', { name: 'Errors', level: 1 }).waitFor()
  expect(await page.evaluate('window.stayed')).toBe(true)
  await page.goBack()
  await page.getByRole('heading', { name: 'Guides', level: 1 }).waitFor()
})

test('examples are copied with the address of the reader and the key, which is typed once for all pages and stored nowhere', async () => {
  const page = await aBrowserPage(app, { at: '/docs/guides/typescript' })
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.getByLabel('Your key').fill(key)
  await page.getByRole('navigation', { name: 'Guides' }).getByRole('link', { name: 'REST API' }).click()
  await page.getByRole('heading', { name: 'The REST API' }).waitFor()
  await page.getByRole('button', { name: 'Copy' }).first().click()
  await page.getByRole('button', { name: 'Copied' }).waitFor()
  expect(await copied(page)).toBe(`curl -s "${app.origin}/api/v1/account" -H "Authorization: Bearer ${key}"`)
  // On plain http, pages have no clipboard API.
  await page.evaluate(`Object.defineProperty(navigator.clipboard, 'writeText', { value: () => Promise.reject(new Error('no')) })`)
  await page.locator('.example').nth(1).getByRole('button', { name: 'Copy' }).click()
  await expect.poll(() => copied(page)).toMatch(/^curl -s "[^"]+\/generations" .* \\\n {2}-d '.*'$/)
  expect(await page.evaluate('[localStorage.length, sessionStorage.length, document.cookie, location.href.includes("atl_")]')).toEqual([
    0,
    0,
    '',
    false,
  ])
  await page.reload()
  expect(await page.getByLabel('Your key').inputValue()).toBe('')
})

test.each(['guides/webhooks', 'errors'])('/docs/%s is accessible, also on a phone', async (name) => {
  const page = await aBrowserPage(app, { at: `/docs/${name}` })
  await screenshot(page, `docs-${name.replace('/', '-')}`)
  await expectAccessible(page)
  await page.setViewportSize({ width: 360, height: 740 })
  await expectNoSidewaysScrolling(page)
})

test('the reference keeps its layout below the bar, follows the dark mode, and its search leads to the guides', async () => {
  const page = await aBrowserPage(app, { at: '/docs', colorScheme: 'dark' })
  await page.getByLabel('API key').waitFor()
  expect(await page.evaluate('getComputedStyle(document.body).backgroundColor')).toBe('rgb(23, 25, 30)')
  await page.getByRole('button', { name: 'Open the reference' }).waitFor()
  await page.keyboard.press('/')
  await page.keyboard.type('signature')
  await page.getByRole('option').first().click()
  await page.waitForURL('**/docs/guides/**')
})
