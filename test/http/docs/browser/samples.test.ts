import Fastify from 'fastify'
import { afterAll, expect, test } from 'vitest'
import { docsRoutes } from '../../../../src/http/docs/docsRoutes.ts'
import { endpoints } from '../../../../src/rest/endpoints.ts'
import { describe } from '../../../../src/rest/openapi.ts'
import { aBrowserPage } from '../../../support/browser/browser.ts'
import { expectAccessible, expectNoSidewaysScrolling, screenshot } from '../../../support/browser/browserChecks.ts'

// A page fails its test when it requests another origin or violates its content security policy.
const publicUrl = 'https://studio.example'
const document = describe(
  endpoints(() => undefined),
  { publicUrl, version: '1.2.3' },
)
const app = Fastify({ forceCloseConnections: true })
await app.register(docsRoutes(document, { open: true, publicUrl, count: async () => undefined }).plugin)
app.get('/healthz', () => ({ status: 'ok' }))
const origin = await app.listen({ port: 0, host: '127.0.0.1' })
afterAll(() => app.close())

test('the reference lists each operation with its code, and the chosen language stays on other pages', async () => {
  const page = await aBrowserPage({ origin }, { at: '/docs' })
  await page.getByText('GET /account').click()
  const account = page.locator('#getAccount')
  expect(await account.getByRole('tab').allTextContents()).toEqual(['curl', 'TypeScript', 'Python', 'Command line'])
  await account.getByRole('tab', { name: 'Python' }).click()
  await account.getByText('atelier.get_account()').waitFor()
  await screenshot(page, 'docs-reference-open')
  await expectAccessible(page)
  await page.getByRole('link', { name: 'Guides' }).click()
  await page.goto('/docs/guides/api')
  expect(await page.getByRole('tab', { name: 'Python' }).first().getAttribute('aria-selected')).toBe('true')
  await page.goto('/docs')
  await page.setViewportSize({ width: 360, height: 740 })
  await page.getByText('GET /usage').click()
  expect(await page.locator('#getUsage').getByRole('tab', { name: 'Python' }).getAttribute('aria-selected')).toBe('true')
  await expectNoSidewaysScrolling(page)
})

test('without scripts all languages of an operation are shown', async () => {
  const page = await aBrowserPage({ origin }, { at: '/docs', javaScriptEnabled: false })
  await page.getByText('GET /account').click()
  for (const code of ['new Atelier(', 'atelier.get_account()', 'atelier-client account'])
    await page.locator('#getAccount').getByText(code).waitFor()
  expect(await page.locator('#getAccount pre:visible').count()).toBe(4)
})

test('the viewer shows our clients for an operation', async () => {
  const page = await aBrowserPage({ origin }, { at: '/docs' })
  await page.getByRole('button', { name: 'Open the interactive reference' }).click()
  await page.getByText('Get the usage').first().waitFor()
  const shown = await page.evaluate<string[]>(
    `fetch('/docs/samples.json').then((answer) => answer.json()).then((samples) => samples.getUsage.map(({ label }) => label))`,
  )
  expect(shown).toEqual(['curl', 'TypeScript', 'Python', 'Command line'])
  await page
    .getByText(/^TypeScript$/)
    .first()
    .waitFor({ state: 'attached' })
})
