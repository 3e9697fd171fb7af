import { randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'
import { afterAll, expect, test } from 'vitest'
import type { FormatName } from '../../../../../src/media/mediaFormats.ts'
import { testApp } from '../../../../support/app.ts'
import { aBrowserPage, type BrowserPage } from '../../../../support/browser/browser.ts'
import { expectAccessible, expectNoSidewaysScrolling, screenshot } from '../../../../support/browser/browserChecks.ts'
import { aTeamWithKey } from '../../../../support/factories.ts'
import { glbOf } from '../../../../support/media/modelSamples.ts'
import { sampleFile } from '../../../../support/media/sampleFile.ts'

/** Above the time that the page gives one picture, for slow machines. */
const soon = { timeout: 60_000 }
const app = await testApp({ clock: 'database' })
afterAll(app.close)
const { services } = app
const own = await aTeamWithKey(services)

async function uploaded(kind: FormatName): Promise<string> {
  const { body, status } = await app.ask('POST /files', { key: own.value, body: { base64: (await sampleFile(kind)).toString('base64') } })
  expect(status).toBe(201)
  return body.fileId
}

/** Replaces the stored content, as if the inspection had accepted it. */
async function replaceContent(fileId: string, content: Buffer): Promise<void> {
  const { key, sizeBytes, sha256 } = await services.storage.put(`files/${randomUUID()}`, Readable.from([content]))
  const set = 'update files set storage_key = $2, size_bytes = $3, sha256 = $4 where id = $1'
  await services.pool.query(set, [fileId, key, sizeBytes, sha256])
}

/** Opens the page of a generation with these inputs, without a check against its family. */
async function pageWith(ids: string[], options: object = {}): Promise<BrowserPage> {
  const { body } = await app.ask('POST /generations', { key: own.value, body: { familyId: 'sandbox-image', prompt: 'from inputs' } })
  const inputs = { imageIds: ids, videoIds: [], audioIds: [], model3dIds: [] }
  await services.pool.query('update generations set inputs = $2 where id = $1', [body.generationId, JSON.stringify(inputs)])
  return await aBrowserPage(app, { as: own.user, at: `/integrations/${own.team.id}/history/${body.generationId}`, ...options })
}

const inputs = (page: BrowserPage) => page.getByRole('region', { name: 'Inputs' })
const pictureOf = (page: BrowserPage, id: string) => inputs(page).getByRole('img', { name: `Input ${id}` })
const widthOf = (page: BrowserPage, id: string) =>
  pictureOf(page, id).evaluateAll((images) => images.map((image) => (image as HTMLImageElement).naturalWidth))

const kinds = ['png', 'mp4', 'webm', 'mp3', 'wav', 'm4a', 'glb', 'obj'] as const

test('each uploaded input has a picture: image, video frame, waveform and 3D model', async () => {
  const files = await Promise.all(kinds.map(async (kind) => ({ kind, id: await uploaded(kind) })))
  const page = await pageWith(files.map(({ id }) => id))
  for (const { kind, id } of files) {
    await inputs(page).getByText(id).scrollIntoViewIfNeeded()
    await expect.poll(() => widthOf(page, id), { ...soon, message: kind }).toEqual([kind === 'png' ? 64 : 320])
  }
  expect(await page.locator('video, audio').count()).toBe(0)
  await expectAccessible(page)
  await page.setViewportSize({ width: 390, height: 740 })
  await expectNoSidewaysScrolling(page)
  await inputs(page).scrollIntoViewIfNeeded()
  await screenshot(page, 'generation-inputs')
  page.faults = page.faults.filter((fault) => !fault.includes('GL Driver Message'))
})

test('hostile, broken and undrawable files keep their symbol, and the other pictures are drawn', async () => {
  const [mp4, webm, mp3, glb, obj, stl, lastMp4] = await Promise.all(
    (['mp4', 'webm', 'mp3', 'glb', 'obj', 'stl', 'mp4'] as const).map(uploaded),
  )
  const triangle = { componentType: 5126, type: 'VEC3', count: 4_000_000_000 }
  const scene = { asset: { version: '2.0' }, scenes: [{ nodes: [0] }], nodes: [{ mesh: 0 }], meshes: [], accessors: [triangle] }
  const markup = Buffer.from('<script>parent.document.title = "run"</script>')
  await replaceContent(String(mp4), markup)
  await replaceContent(String(webm), Buffer.from('no video'))
  await replaceContent(String(mp3), Buffer.from('no sound'))
  await replaceContent(String(glb), glbOf(scene))
  await replaceContent(String(obj), markup)
  const page = await pageWith([mp4, webm, mp3, glb, obj, stl, lastMp4].map(String))
  await expect.poll(() => widthOf(page, String(lastMp4)), soon).toEqual([320])
  for (const id of [mp4, webm, mp3, glb, obj, stl]) expect(await widthOf(page, String(id))).toEqual([])
  expect(await page.title()).not.toBe('run')
  await screenshot(page, 'generation-inputs-broken')
  page.faults = []
})

test('files that are too large for a picture are not read', async () => {
  const [mp3, glb, mp4] = await Promise.all((['mp3', 'glb', 'mp4'] as const).map(uploaded))
  await services.pool.query('update files set size_bytes = 4000001 where id = $1', [mp3])
  await services.pool.query('update files set size_bytes = 8000001 where id = $1', [glb])
  const read = new Set<string>()
  const page = await aBrowserPage(app, { as: own.user })
  page.on('request', (request) => {
    const { pathname } = new URL(request.url())
    if (pathname.startsWith('/r/')) read.add(pathname)
  })
  const { body } = await app.ask('POST /generations', { key: own.value, body: { familyId: 'sandbox-image', prompt: 'large' } })
  const named = { imageIds: [mp3, glb, mp4], videoIds: [], audioIds: [], model3dIds: [] }
  await services.pool.query('update generations set inputs = $2 where id = $1', [body.generationId, JSON.stringify(named)])
  await page.goto(`/integrations/${own.team.id}/history/${body.generationId}`)
  await expect.poll(() => widthOf(page, String(mp4)), soon).toEqual([320])
  expect(read.size).toBe(1)
})

test('a picture whose link has ended is shown by a new link, and an expired file says so', async () => {
  const [mp3, png, gone] = await Promise.all((['mp3', 'png', 'mp4'] as const).map(uploaded))
  await services.pool.query(`update files set expires_at = now() - interval '1 minute' where id = $1`, [gone])
  const ended = new Set<string>()
  const page = await pageWith([mp3, png, gone].map(String))
  await page.route('**/r/*', async (route) => {
    const { pathname } = new URL(route.request().url())
    if (ended.size < 2) ended.add(pathname)
    if (ended.has(pathname)) await route.fulfill({ status: 404 })
    else await route.continue()
  })
  await page.reload()
  await expect.poll(() => widthOf(page, String(mp3)), soon).toEqual([320])
  await expect.poll(() => widthOf(page, String(png)), soon).toEqual([64])
  await inputs(page).getByText(`${gone} (expired)`).waitFor()
  page.faults = page.faults.filter((fault) => !fault.includes('404'))
})
