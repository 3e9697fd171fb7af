import { join } from 'node:path'
import fastifyStatic from '@fastify/static'
import Fastify from 'fastify'
import { afterAll, expect, test } from 'vitest'
import { writeVersionedDocs } from '../../../../scripts/release/artefacts/writeVersionedDocs.ts'
import { aBrowserPage } from '../../../support/browser/browser.ts'
import { expectAccessible, expectNoSidewaysScrolling } from '../../../support/browser/browserChecks.ts'
import { aDocsRoot, aKeptDocsArchive, memoryFolderOfTest } from '../../../support/release/docsOfReleases.ts'

// A page fails its test when it requests another origin or violates its content security policy.
const folder = await memoryFolderOfTest()
await aKeptDocsArchive(join(folder, 'kept'), { version: '0.9.0', pages: ['api', 'quickstart', 'files'] })
const root = await aDocsRoot(folder, ['api', 'quickstart', 'webhooks'])
const options = { root, version: '0.10.0', origin: 'https://atelier.example.com', earlier: join(folder, 'kept') }
await writeVersionedDocs(join(folder, 'site'), options)

const app = Fastify({ forceCloseConnections: true })
await app.register(fastifyStatic, { root: join(folder, 'site'), redirect: true })
app.get('/healthz', () => ({ status: 'ok' }))
const origin = await app.listen({ port: 0, host: '127.0.0.1' })
afterAll(() => app.close())

test('a reader changes the version of a page, and moves on within that version', async () => {
  const page = await aBrowserPage({ origin }, { at: '/docs/guides/webhooks/' })
  await page.getByRole('navigation', { name: 'Guides' }).getByRole('link', { name: 'Quickstart' }).click()
  await page.getByRole('heading', { name: 'Page quickstart' }).waitFor()
  await page.getByText('0.10.0', { exact: true }).click()
  await expectAccessible(page)
  await page.getByRole('link', { name: '0.9.0' }).click()
  await page.waitForURL('**/0.9.0/docs/guides/quickstart/')
  await page.getByText('About quickstart, formerly.').waitFor()
  await page.evaluate('window.stayed = true')
  await page.getByRole('navigation', { name: 'Guides' }).getByRole('link', { name: 'Files' }).click()
  await page.getByRole('heading', { name: 'Page files' }).waitFor()
  expect(await page.evaluate('window.stayed')).toBe(true)
  // The notice belongs to the new page, which the latest version does not have.
  expect(await page.getByRole('note').getByRole('link').getAttribute('href')).toBe('/docs/guides/')
  await expectAccessible(page)
  await page.setViewportSize({ width: 360, height: 740 })
  await expectNoSidewaysScrolling(page)
})

test('the search of a version finds only its own pages', async () => {
  const page = await aBrowserPage({ origin }, { at: '/0.9.0/docs/guides/' })
  await page.keyboard.press('/')
  await page.keyboard.type('formerly')
  await expect.poll(() => page.getByRole('option').count()).toBe(3)
  await page.getByRole('option').first().click()
  await page.waitForURL(/\/0\.9\.0\/docs\/guides\/\w/)
  await page.goto('/0.9.0/docs/guides/')
  await page.keyboard.press('/')
  await page.keyboard.type('webhooks ours')
  await page.getByText('Nothing found').waitFor()
})
