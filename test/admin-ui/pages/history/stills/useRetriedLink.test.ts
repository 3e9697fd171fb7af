import { randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'
import { afterAll, expect, test } from 'vitest'
import { type FormatName, mediaFormats } from '../../../../../src/media/mediaFormats.ts'
import { testApp } from '../../../../support/app.ts'
import { aBrowserPage, type BrowserPage } from '../../../../support/browser/browser.ts'
import { aServiceContext, aTeamWithKey, type TeamWithKey } from '../../../../support/factories.ts'
import { endAtOnce } from '../../../../support/generations/generationTransitions.ts'
import { sampleFile } from '../../../../support/media/sampleFile.ts'

const soon = { timeout: 60_000 }
const app = await testApp({ clock: 'database' })
afterAll(app.close)
const { services } = app
const families = { image: 'sandbox-image', video: 'sandbox-video', audio: 'sandbox-audio', model3d: 'sandbox-3d' }
const kinds = ['png', 'mp4', 'mp3', 'obj'] as const

async function made(team: TeamWithKey, kind: FormatName) {
  const { mimeType, type } = mediaFormats[kind]
  const { body } = await app.ask('POST /generations', { key: team.value, body: { familyId: families[type], prompt: `as ${kind}` } })
  const content = Readable.from([await sampleFile(kind)])
  const { key, sizeBytes, sha256 } = await services.storage.put(`results/${body.generationId}/${randomUUID()}`, content)
  const result = { storageKey: key, mimeType, sizeBytes, sha256, width: null, height: null, durationSeconds: 1 }
  await endAtOnce(aServiceContext(services), body.generationId, { to: 'ready', result })
}

/** Opens a history with a picture of each kind. `refuse` returns the status of a refused request for a path, or undefined to answer it. */
async function openList(refuse: (path: string) => number | undefined) {
  const team = await aTeamWithKey(services)
  for (const kind of kinds) await made(team, kind)
  const page = await aBrowserPage(app, { as: team.user })
  const requests: string[] = []
  await page.route('**/r/*', async (route) => {
    const { pathname } = new URL(route.request().url())
    const status = refuse(pathname)
    if (route.request().method() === 'GET') requests.push(pathname)
    if (status === undefined) await route.continue()
    else await route.fulfill({ status, headers: { 'retry-after': '0' } })
  })
  await page.goto(`/integrations/${team.team.id}/history`)
  return { page, requests }
}

const drawnWidths = (page: BrowserPage) =>
  page
    .getByRole('row')
    .locator('img')
    .evaluateAll((images) => images.filter((image) => (image as HTMLImageElement).naturalWidth > 0).length)

test('pictures that were refused with 429 are shown after another request', async () => {
  const seen = new Set<string>()
  const { page } = await openList((path) => {
    if (seen.has(path)) return undefined
    seen.add(path)
    return 429
  })
  await expect.poll(() => drawnWidths(page), soon).toBe(kinds.length)
  page.faults = page.faults.filter((fault) => !fault.includes('429') && !fault.includes('GL Driver Message'))
})

test('pictures whose link has ended are shown by a new link', async () => {
  const ended = new Set<string>()
  const { page, requests } = await openList((path) => {
    if (ended.size < kinds.length) ended.add(path)
    return ended.has(path) ? 404 : undefined
  })
  await expect.poll(() => drawnWidths(page), soon).toBe(kinds.length)
  expect(new Set(requests).size).toBe(2 * kinds.length)
  page.faults = page.faults.filter((fault) => !fault.includes('404') && !fault.includes('GL Driver Message'))
})

test('a picture that stays refused is asked for three times', async () => {
  const { page, requests } = await openList(() => 429)
  await expect.poll(() => requests.length, soon).toBe(3 * kinds.length)
  await page.getByText('Grid', { exact: true }).waitFor()
  expect(await drawnWidths(page)).toBe(0)
  page.faults = page.faults.filter((fault) => !fault.includes('429'))
})
