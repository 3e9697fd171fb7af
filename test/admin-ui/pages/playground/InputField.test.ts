import { afterAll, expect, test } from 'vitest'
import { type FormatName, mediaFormats } from '../../../../src/media/mediaFormats.ts'
import { testApp } from '../../../support/app.ts'
import { aBrowserPage, type BrowserPage } from '../../../support/browser/browser.ts'
import { expectAccessible, expectNoSidewaysScrolling, screenshot } from '../../../support/browser/browserChecks.ts'
import { aTeamWithKey } from '../../../support/factories.ts'
import { generationTransitions } from '../../../support/generations/generationTransitions.ts'
import { sampleFile } from '../../../support/media/sampleFile.ts'

const soon = { timeout: 60_000 }
const app = await testApp({ clock: 'database' })
afterAll(app.close)
const { services } = app
const own = await aTeamWithKey(services)
const moves = generationTransitions(services)

const openPage = (query: string, options: object = {}) =>
  aBrowserPage(app, { as: own.user, at: `/integrations/${own.team.id}/playground?${query}`, ...options })

const field = (page: BrowserPage, medium: string) => page.getByRole('group', { name: medium, exact: true })
const widthOf = (page: BrowserPage, medium: string, name: string) =>
  field(page, medium)
    .getByRole('img', { name })
    .evaluateAll((images) => images.map((image) => (image as HTMLImageElement).naturalWidth))

async function upload(page: BrowserPage, { medium, name, kind }: { medium: string; name: string; kind: FormatName }): Promise<void> {
  const chosen = { name, mimeType: mediaFormats[kind].mimeType, buffer: await sampleFile(kind) }
  await field(page, medium).locator('input[type=file]').setInputFiles(chosen)
  await field(page, medium)
    .getByRole('button', { name: `Remove ${name}` })
    .waitFor()
}

test.each([
  { kind: 'mp4', medium: 'Videos', query: 'family=sandbox-video&variant=sandbox-video.video-to-video.turbo' },
  { kind: 'mp3', medium: 'Audio', query: 'family=sandbox-sound&variant=sandbox-sound.audio-to-audio' },
  { kind: 'glb', medium: '3D models', query: 'family=sandbox-texture&variant=sandbox-texture.retexture-3d' },
  { kind: 'png', medium: 'Images', query: 'family=sandbox-image&variant=sandbox-image.image-to-image.draft' },
] as const)('an uploaded $kind has a picture in its field, also after a reload', async ({ kind, medium, query }) => {
  const page = await openPage(query)
  await upload(page, { medium, name: `mine.${kind}`, kind })
  const width = kind === 'png' ? 64 : 320
  await expect.poll(() => widthOf(page, medium, `Preview of mine.${kind}`), soon).toEqual([width])
  await expectAccessible(page)
  await screenshot(page, `playground-input-${kind}`)
  await page.reload()
  await expect.poll(() => widthOf(page, medium, 'Preview of file_'), soon).toEqual([width])
  page.faults = page.faults.filter((fault) => !fault.includes('GL Driver Message'))
})

test('a result that is an input has its picture and its prompt, and an unknown file has neither', async () => {
  const { body } = await app.ask('POST /generations', { key: own.value, body: { familyId: 'sandbox-video', prompt: 'a boat' } })
  await moves.begin(body.generationId)
  await moves.gather(body.generationId)
  await moves.finish(body.generationId, await sampleFile('mp4'), 'video/mp4')
  const page = await openPage(`family=sandbox-clip&variant=sandbox-clip.lip-sync&videos=${body.generationId}&audios=file_unknown`, {
    viewport: { width: 390, height: 740 },
  })
  await expect.poll(() => widthOf(page, 'Videos', 'Preview of a boat'), soon).toEqual([320])
  await field(page, 'Audio').getByRole('button', { name: 'Remove file_unknown' }).waitFor()
  expect(await field(page, 'Audio').getByRole('img').count()).toBe(0)
  await expectNoSidewaysScrolling(page)
})

const wrong = 'Remove what this field does not take.'
const focused = (page: BrowserPage) => page.evaluate('document.activeElement.ariaLabel')

test('a file or result of another medium or format is refused in its field, with what the field takes, and blocks Run', async () => {
  const { body } = await app.ask('POST /generations', { key: own.value, body: { familyId: 'sandbox-video', prompt: 'a boat' } })
  await moves.begin(body.generationId)
  await moves.gather(body.generationId)
  await moves.finish(body.generationId, await sampleFile('mp4'), 'video/mp4')
  const page = await openPage(`family=sandbox-image&variant=sandbox-image.image-to-image.draft&images=${body.generationId}`)
  await field(page, 'Images')
    .getByText(/^A video: this field takes PNG/)
    .waitFor()
  await page.getByRole('status').filter({ hasText: wrong }).waitFor()
  await page.getByRole('button', { name: 'Run', exact: true }).click()
  await field(page, 'Images').getByText(wrong).waitFor()
  expect(await focused(page)).toBe('Remove a boat')
  expect(await page.getByRole('button', { name: 'Estimate' }).isDisabled()).toBe(true)
  await field(page, 'Images').getByRole('button', { name: 'Remove a boat' }).click()
  await field(page, 'Images').getByText('Add an input.').waitFor()
  expect(await page.getByText(wrong).count()).toBe(0)
  const files = field(page, 'Images').locator('input[type=file]')
  await files.setInputFiles({ name: 'song.mp3', mimeType: 'audio/mpeg', buffer: await sampleFile('mp3') })
  await field(page, 'Images').getByRole('alert').filter({ hasText: 'An audio file: this field takes PNG' }).waitFor()
  // The name and the declared type of a file may be wrong.
  await files.setInputFiles({ name: 'song.png', mimeType: 'image/png', buffer: await sampleFile('mp3') })
  await expect.poll(() => field(page, 'Images').getByText('An audio file: this field takes PNG').count()).toBe(2)
  expect(
    await field(page, 'Images')
      .getByRole('button', { name: /^Remove/ })
      .count(),
  ).toBe(0)
  await expectAccessible(page)
})
