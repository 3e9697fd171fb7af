import { afterAll, expect, test } from 'vitest'
import { testApp } from '../../../support/app.ts'
import { aBrowserPage, type BrowserPage } from '../../../support/browser/browser.ts'
import { expectAccessible, screenshot } from '../../../support/browser/browserChecks.ts'
import { anIdentityProvider } from '../../../support/people/identityProvider.ts'

const provider = await anIdentityProvider({ now: () => new Date() })
const app = await testApp({ clock: 'database', oidc: provider.settings })
afterAll(async () => {
  await app.close()
  await provider.close()
})
const { origin } = app

/** The provider's page, which approves at once. It is the only other origin that the page may open. */
async function agreeAt(page: BrowserPage, back: (address: string) => Promise<string>): Promise<void> {
  await page.route(`${provider.settings.issuer}/authorize**`, async (route) => {
    const location = new URL(await back(route.request().url()), origin).href
    await route.fulfill({ status: 302, headers: { location } })
  })
}

const elsewhere = [expect.stringContaining(`asked elsewhere: ${provider.settings.issuer}/authorize?`)]
const button = (page: BrowserPage) => page.getByRole('button', { name: 'Sign in with Example ID' })

test('an unreachable provider is reported by its name', async () => {
  const page = await aBrowserPage(app, { at: '/integrations/sign-in' })
  await button(page).waitFor()
  await provider.down()
  await button(page).click()
  await page.getByText('Example ID cannot be reached. Try again later.').waitFor()
  await provider.back()
  expect(page.faults.splice(0)).toEqual([expect.stringContaining('answered 503')])
})

test('the SSO sign-in leads to the provider and back to the requested page', async () => {
  provider.person = { sub: 'ada', email: 'ada@example.test', email_verified: true, name: 'Ada' }
  const page = await aBrowserPage(app, { at: '/integrations/personal/agents' })
  await agreeAt(page, (address) => provider.authorize(address))
  await button(page).waitFor()
  await expectAccessible(page)
  await screenshot(page, 'sign-in-elsewhere')
  await button(page).click()
  await page.getByRole('heading', { name: 'Agents', level: 1 }).waitFor()
  expect(new URL(page.url()).pathname).toBe('/integrations/personal/agents')
  expect(page.faults.splice(0)).toEqual(elsewhere)
})

test('a cancelled SSO sign-in is reported, and the next one returns to the requested page', async () => {
  provider.person = { sub: 'grace', email: 'grace@example.test', email_verified: true, name: 'Grace' }
  const page = await aBrowserPage(app, { at: '/integrations/personal/agents' })
  let isCancelled = true
  await agreeAt(page, async (address) => {
    const back = new URL(await provider.authorize(address), origin)
    if (isCancelled) back.searchParams.delete('code')
    if (isCancelled) back.searchParams.set('error', 'access_denied')
    return back.href
  })
  await button(page).click()
  await page.getByText('The sign-in was cancelled at the provider.').waitFor()
  isCancelled = false
  await button(page).click()
  await page.getByRole('heading', { name: 'Agents', level: 1 }).waitFor()
  expect(new URL(page.url()).pathname).toBe('/integrations/personal/agents')
  expect(page.faults.splice(0)).toEqual([...elsewhere, ...elsewhere])
})
