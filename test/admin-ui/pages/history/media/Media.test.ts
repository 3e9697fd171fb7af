import sharp from 'sharp'
import { afterAll, expect, test } from 'vitest'
import { testApp } from '../../../../support/app.ts'
import { aBrowserPage, type BrowserPage } from '../../../../support/browser/browser.ts'
import { expectAccessible, screenshot } from '../../../../support/browser/browserChecks.ts'
import { aTeamWithKey } from '../../../../support/factories.ts'
import { glbOf } from '../../../../support/media/modelSamples.ts'

const soon = { timeout: 10_000 }
const app = await testApp({ clock: 'database', worker: true })
afterAll(app.close)
const { user, team, value: key } = await aTeamWithKey(app.services)

/** Runs a generation in the sandbox and returns its identifier. */
async function made(body: object): Promise<string> {
  const { generationId } = (await app.ask('POST /generations', { key, body })).body
  expect((await app.ask(`GET /generations/${generationId}?wait=60`, { key })).body.state).toBe('ready')
  return generationId
}

async function panelOf(id: string) {
  const page = await aBrowserPage(app, { as: user, at: `/integrations/${team.id}/history?generation=${id}` })
  return { page, panel: page.getByRole('dialog', { name: 'Generation' }) }
}

test.each([
  ['video', { familyId: 'sandbox-video', prompt: 'waves', parameters: { durationSeconds: 1 } }],
  ['audio', { familyId: 'sandbox-audio', prompt: 'The harbour wakes slowly.' }],
])('%s of the sandbox plays and can be seeked', async (kind, body) => {
  const { page, panel } = await panelOf(await made(body))
  const player = panel.locator(kind)
  await expect.poll(() => player.evaluate((element: HTMLMediaElement) => element.duration), soon).toBeGreaterThan(0.9)
  await expectAccessible(page)
  await screenshot(page, `history-${kind}`)
  await player.evaluate((element: HTMLMediaElement) => void element.play())
  await expect.poll(() => player.evaluate((element: HTMLMediaElement) => element.currentTime), soon).toBeGreaterThan(0.3)
  await player.evaluate((element: HTMLMediaElement) => {
    element.pause()
    element.currentTime = 0.5
  })
  await expect.poll(() => player.evaluate((element: HTMLMediaElement) => element.seeking || element.currentTime), soon).toBeCloseTo(0.5, 1)
})

/** Takes a screenshot of the model, and counts its colours. */
async function drawn(page: BrowserPage, name: string): Promise<{ colours: number; picture: string }> {
  const stage = page.getByRole('application', { name: `3D model: ${name}` })
  const { data } = await sharp(await stage.screenshot())
    .resize(80, 50)
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true })
  const colours = new Set(Array.from({ length: data.length / 3 }, (_, pixel) => data.subarray(pixel * 3, pixel * 3 + 3).toString('hex')))
  return { colours: colours.size, picture: data.toString('base64') }
}

test.each(['glb', 'obj'])(
  'a model as %s is drawn, and rotated by the arrow keys',
  async (format) => {
    const prompt = `a small boat as ${format}`
    const { page, panel } = await panelOf(await made({ familyId: 'sandbox-3d', prompt, axes: { format } }))
    await panel.getByText('Drag or use the arrow keys').waitFor({ timeout: 25_000 })
    const before = await drawn(page, prompt)
    expect(before.colours).toBeGreaterThan(40)
    await expectAccessible(page)
    await screenshot(page, `history-${format}`)
    await panel.getByRole('application').focus()
    await page.keyboard.press('ArrowRight')
    await expect.poll(async () => (await drawn(page, prompt)).picture, soon).not.toBe(before.picture)
    ignoreDriverWarning(page)
  },
  60_000,
)

test.each(['light', 'dark'] as const)(
  'on a phone, %s, a model is shown whole on a grey ground, without hints for keys',
  async (colorScheme) => {
    const id = await made({ familyId: 'sandbox-3d', prompt: `a boat in ${colorScheme}` })
    const at = `/integrations/${team.id}/history/${id}`
    const page = await aBrowserPage(app, {
      as: user,
      at,
      viewport: { width: 390, height: 844 },
      hasTouch: true,
      isMobile: true,
      colorScheme,
    })
    const hint = page.getByText('Drag or use the arrow keys')
    await hint.waitFor({ timeout: 25_000 })
    expect(await hint.innerText()).toBe('Drag to rotate.')
    const canvas = page.getByRole('application').locator('canvas')
    const { data, info } = await sharp(await canvas.screenshot())
      .removeAlpha()
      .raw()
      .toBuffer({ resolveWithObject: true })
    const ground = [0x86, 0x8b, 0x95]
    const isGround = (x: number, y: number) =>
      ground.every((value, part) => Math.abs((data[(y * info.width + x) * 3 + part] ?? 0) - value) < 3)
    const rows = Array.from({ length: info.height - 20 }, (_, row) => row + 10)
    expect(rows.filter((y) => !isGround(12, y) || !isGround(info.width - 12, y))).toEqual([])
    expect(isGround(Math.round(info.width / 2), Math.round(info.height / 2))).toBe(false)
    expect(info.height).toBeLessThanOrEqual(390)
    ignoreDriverWarning(page)
  },
)

const triangle = { primitives: [{ attributes: { POSITION: 0 } }] }
const scene = { asset: { version: '2.0' }, scene: 0, scenes: [{ nodes: [0] }], nodes: [{ mesh: 0 }], meshes: [triangle] }
const vast = { ...scene, accessors: [{ componentType: 5126, type: 'VEC3', count: 4_000_000_000 }] }

test.each([
  ['broken', Buffer.from('glTF, but no more than that'), 'The browser cannot read or draw the file.'],
  ['vast', glbOf(vast), 'more parts, vertices or texture pixels than a browser can safely draw'],
])('a model that is %s is not drawn, and can be downloaded instead', async (prompt, body, reason) => {
  const id = await made({ familyId: 'sandbox-3d', prompt })
  const page = await aBrowserPage(app, { as: user })
  await page.route('**/r/*', (route) => route.fulfill({ contentType: 'model/gltf-binary', body }))
  await page.goto(`/integrations/${team.id}/history?generation=${id}`)
  const notice = page.getByRole('alert').filter({ hasText: 'This model cannot be shown here' })
  await notice.getByText(reason).waitFor()
  expect(await notice.getByRole('link', { name: 'Download' }).getAttribute('href')).toMatch(/^\/r\/[^?]+\?download=1$/)
  expect(await page.locator('canvas').count()).toBe(0)
  await expectAccessible(page)
})

/** Ignores the driver's warning that screenshots of software rendering are slow. */
function ignoreDriverWarning(page: BrowserPage): void {
  page.faults = page.faults.filter((fault) => !fault.includes('GL Driver Message'))
}
