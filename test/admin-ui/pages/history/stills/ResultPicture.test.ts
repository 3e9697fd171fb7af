import { randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'
import sharp from 'sharp'
import { afterAll, expect, test } from 'vitest'
import type { GenerationResult } from '../../../../../src/entities/Generation.ts'
import { type FormatName, mediaFormats } from '../../../../../src/media/mediaFormats.ts'
import { testApp } from '../../../../support/app.ts'
import { aBrowserPage, type BrowserPage } from '../../../../support/browser/browser.ts'
import { expectAccessible, screenshot } from '../../../../support/browser/browserChecks.ts'
import { aServiceContext, aTeamWithKey, type TeamWithKey } from '../../../../support/factories.ts'
import { endAtOnce } from '../../../../support/generations/generationTransitions.ts'
import { glbOf } from '../../../../support/media/modelSamples.ts'
import { sampleFile } from '../../../../support/media/sampleFile.ts'

/** Above the time that the page gives one picture, for slow machines. */
const soon = { timeout: 60_000 }
const app = await testApp({ clock: 'database' })
afterAll(app.close)
const { services } = app
const families = { image: 'sandbox-image', video: 'sandbox-video', audio: 'sandbox-audio', model3d: 'sandbox-3d' }

/** A finished generation whose result is this file. `said`: what its record says otherwise. */
async function made(team: TeamWithKey, kind: FormatName, { content, said }: { content?: Buffer; said?: Partial<GenerationResult> } = {}) {
  const { mimeType, type } = mediaFormats[kind]
  const bytes = content ?? (await sampleFile(kind))
  const { body } = await app.ask('POST /generations', { key: team.value, body: { familyId: families[type], prompt: `as ${kind}` } })
  const { key, sizeBytes, sha256 } = await services.storage.put(`results/${body.generationId}/${randomUUID()}`, Readable.from([bytes]))
  const measured = { storageKey: key, mimeType, sizeBytes, sha256, width: null, height: null, durationSeconds: 1 }
  const result = { ...measured, ...said } as GenerationResult
  await endAtOnce(aServiceContext(services), body.generationId, { to: 'ready', result })
}

async function listOf(team: TeamWithKey, view = ''): Promise<BrowserPage> {
  return await aBrowserPage(app, { as: team.user, at: `/integrations/${team.team.id}/history${view}` })
}

const rowOf = (page: BrowserPage, kind: string) => page.getByRole('row').filter({ hasText: `as ${kind}` })
const widthOf = (page: BrowserPage, kind: string) =>
  rowOf(page, kind)
    .locator('img')
    .evaluateAll((images) => images.map((image) => (image as HTMLImageElement).naturalWidth))

/** The mean of the picture's pixels, from 0 to 255. A frame that was not painted yet is black. */
async function brightness(page: BrowserPage, kind: string): Promise<number> {
  const source = await rowOf(page, kind).locator('img').getAttribute('src')
  const { channels } = await sharp(Buffer.from(source?.split(',')[1] ?? '', 'base64')).stats()
  return channels.reduce((sum, { mean }) => sum + mean, 0) / channels.length
}

/** The requests for files, from now on. */
function filesRead(page: BrowserPage): string[] {
  const paths: string[] = []
  page.on('request', (request) => {
    if (new URL(request.url()).pathname.startsWith('/r/')) paths.push(request.url())
  })
  return paths
}

const kinds = ['mp4', 'webm', 'wav', 'mp3', 'ogg', 'flac', 'glb', 'obj'] as const

test('video, audio and 3D models have a picture in the list and in the grid, drawn once', async () => {
  const team = await aTeamWithKey(services)
  for (const kind of kinds) await made(team, kind)
  const page = await listOf(team)
  for (const kind of kinds) {
    await rowOf(page, kind).scrollIntoViewIfNeeded()
    await expect.poll(() => widthOf(page, kind), { ...soon, message: kind }).toEqual([320])
  }
  expect(await page.locator('video, audio').count()).toBe(0)
  expect(await brightness(page, 'mp4')).toBeGreaterThan(50)
  await expectAccessible(page)
  await screenshot(page, 'history-stills')
  const read = filesRead(page)
  await page.getByText('Grid', { exact: true }).click()
  const pictures = page.getByRole('list', { name: 'Generations' }).locator('img')
  await expect.poll(() => pictures.count(), soon).toBe(kinds.length)
  expect(read.filter((url) => !url.endsWith('?preview=1'))).toEqual([])
  await screenshot(page, 'history-stills-grid')
  page.faults = page.faults.filter((fault) => !fault.includes('GL Driver Message'))
})

const triangles = { primitives: [{ attributes: { POSITION: 0 } }] }
const scene = { asset: { version: '2.0' }, scene: 0, scenes: [{ nodes: [0] }], nodes: [{ mesh: 0 }], meshes: [triangles] }

test('hostile and broken files keep their symbol, and the other pictures are drawn', async () => {
  const team = await aTeamWithKey(services)
  const triangle = { componentType: 5126, type: 'VEC3' }
  const corners = Buffer.from(Float32Array.of(0, 0, 0, 1, 0, 0, 0, 1, 0).buffer)
  const stored = {
    buffers: [{ byteLength: 36 }],
    bufferViews: [{ buffer: 0, byteLength: 36 }],
    accessors: [{ ...triangle, bufferView: 0, count: 3 }],
  }
  const repeated = { scenes: [{ nodes: [...Array(1001).keys()] }], nodes: Array(1001).fill({ mesh: 0 }) }
  // The last row, which is drawn after the others.
  await made(team, 'mp4')
  await made(team, 'webm', { content: Buffer.from('no video') })
  await made(team, 'mp3', { content: Buffer.from('no sound') })
  await made(team, 'glb', { content: glbOf({ ...scene, accessors: [{ ...triangle, count: 4_000_000_000 }] }) })
  await made(team, 'glb', { content: glbOf({ ...scene, ...stored, ...repeated }, corners) })
  await made(team, 'obj', { content: Buffer.from('# no model') })
  const page = await listOf(team)
  await expect.poll(() => widthOf(page, 'mp4'), soon).toEqual([320])
  for (const kind of ['webm', 'mp3', 'glb', 'obj']) expect(await widthOf(page, kind)).toEqual([])
})

test('files that are too large for a list are not read', async () => {
  const team = await aTeamWithKey(services)
  await made(team, 'mp3', { said: { sizeBytes: 4_000_001 } })
  await made(team, 'ogg', { said: { durationSeconds: 301 } })
  await made(team, 'glb', { said: { sizeBytes: 8_000_001 } })
  await made(team, 'stl')
  await made(team, 'mp4')
  const page = await aBrowserPage(app, { as: team.user })
  const read = filesRead(page)
  await page.goto(`/integrations/${team.team.id}/history`)
  await expect.poll(() => widthOf(page, 'mp4'), soon).toEqual([320])
  expect(new Set(read).size).toBe(1)
})
