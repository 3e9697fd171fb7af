import type { BrowserContext } from 'playwright-core'
import { afterAll, expect, test } from 'vitest'
import { testApp } from '../app.ts'
import { aBrowserPage } from './browser.ts'
import { expectAccessible } from './browserChecks.ts'

const app = await testApp()
afterAll(app.close)

test.each([
  ['a button without a name', '<button></button>'],
  ['a text of too little contrast', '<p style="color: #ccc; background: #ddd">faint</p>'],
  [
    'a text of too little contrast in the dark scheme',
    '<p style="color: light-dark(#000, #333); background: light-dark(#fff, #222)">faint</p>',
  ],
  ['a second row that lacks its label', '<p><input aria-label="one"></p><p><input></p>'],
  ['a label of nothing', '<input id="named" aria-labelledby="nowhere">'],
])('%s is found on a page that was accessible before', async (_what, html) => {
  const page = await aBrowserPage(app, { at: '/integrations/sign-in' })
  await page.getByRole('button', { name: 'Sign in' }).waitFor()
  await expectAccessible(page)
  await page.evaluate(`document.querySelector('main').insertAdjacentHTML('beforeend', ${JSON.stringify(`<div id="added">${html}</div>`)})`)
  await expect(expectAccessible(page)).rejects.toThrow('findings')
  await expect(expectAccessible(page)).rejects.toThrow('findings')
  await page.evaluate(`document.getElementById('added').remove()`)
  await expectAccessible(page)
})

const left: { here?: BrowserContext } = {}

test('a context that another page uses afterwards has been left with something', async () => {
  const page = await aBrowserPage(app, { at: '/integrations/sign-in' })
  left.here = page.context()
  await page.evaluate(`(localStorage.setItem('left', 'here'), sessionStorage.setItem('left', 'here'))`)
  await page.emulateMedia({ colorScheme: 'dark' })
  await page.route('**/*', (route) => route.abort())
  await page.context().addCookies([{ name: 'left', value: 'here', url: app.origin }])
  await page.context().setOffline(true)
})

test('a page finds nothing of the page before in its context', async () => {
  const page = await aBrowserPage(app, { at: '/integrations/sign-in' })
  expect(left.here === undefined || page.context() === left.here).toBe(true)
  expect(await page.evaluate('[localStorage.length, sessionStorage.length, document.cookie]')).toEqual([0, 0, ''])
  expect(await page.evaluate(`[matchMedia('(prefers-color-scheme: dark)').matches, history.length]`)).toEqual([false, 2])
})

test('a test may set the clock of its page', async () => {
  const page = await aBrowserPage(app, { at: '/integrations/sign-in' })
  await page.clock.setFixedTime('2020-01-01T00:00:00Z')
  expect(await page.evaluate('new Date().getFullYear()')).toBe(2020)
})

test('a page whose clock was set is not used by later tests', async () => {
  const page = await aBrowserPage(app, { at: '/integrations/sign-in' })
  expect(await page.evaluate('new Date().getFullYear()')).toBeGreaterThan(2020)
})
