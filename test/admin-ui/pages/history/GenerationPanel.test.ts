import { afterAll, expect, test } from 'vitest'
import { setTeamMember } from '../../../../src/domain/access/teams/memberships.ts'
import { recordEditorGeneration } from '../../../../src/domain/generations/start/recordEditorGeneration.ts'
import { testApp } from '../../../support/app.ts'
import { aBrowserPage, type BrowserPage } from '../../../support/browser/browser.ts'
import { expectAccessible, expectNoSidewaysScrolling, screenshot } from '../../../support/browser/browserChecks.ts'
import { aServiceContext, aTeamWithKey, aUser } from '../../../support/factories.ts'
import { generationTransitions } from '../../../support/generations/generationTransitions.ts'
import { blackPng } from '../../../support/media/blackPng.ts'

const soon = { timeout: 10_000 }
const app = await testApp({ clock: 'database' })
afterAll(app.close)
const { services } = app
const operator = aServiceContext(services)
const moves = generationTransitions(services)
const own = await aTeamWithKey(services)
const member = await aUser(services)
await setTeamMember(operator, { teamId: own.team.id, userId: member.id, role: 'member' })

async function aStart(body: object = {}, { value } = own): Promise<string> {
  const request = { familyId: 'sandbox-image', prompt: 'a lighthouse', ...body }
  const answer = await app.ask('POST /generations', { key: value, body: request })
  expect(answer.status).toBe(201)
  return answer.body.generationId
}

async function aPicture(body: object = {}): Promise<string> {
  const id = await aStart(body)
  await moves.begin(id)
  await moves.gather(id)
  await moves.finish(id, blackPng({ width: 640, height: 480 }))
  await services.pool.query(`update generations set result = result || '{"width": 640, "height": 480}' where id = $1`, [id])
  return id
}

const at = (id: string) => `/integrations/${own.team.id}/history?generation=${id}`
const panelOf = (page: BrowserPage) => page.getByRole('dialog', { name: 'Generation' })

async function facts(page: BrowserPage): Promise<Record<string, string>> {
  const names = await panelOf(page).locator('dt').allTextContents()
  const values = await panelOf(page).locator('dd').allTextContents()
  return Object.fromEntries(names.map((name, place) => [name, values[place] ?? '']))
}

test('a row opens the panel with all details, rendered as plain text', async () => {
  const hostile = '<script>document.title = 1</script>'
  const id = await aPicture({ prompt: hostile, reference: 'order 4711', metadata: { [hostile]: '<b>bold</b>' }, parameters: { seed: 7 } })
  const page = await aBrowserPage(app, { as: own.user, at: `/integrations/${own.team.id}/history` })
  await page.getByRole('button', { name: hostile }).click()
  const panel = panelOf(page)
  await panel.getByRole('region', { name: 'Prompt' }).getByText(hostile).waitFor()
  expect(new URL(page.url()).searchParams.get('generation')).toBe(id)
  expect(await facts(page)).toMatchObject({
    Price: '1 credit',
    Charged: '1 credit',
    version: 'draft',
    seed: '7',
    Reference: 'order 4711',
    [hostile]: '<b>bold</b>',
    Source: 'REST',
    Key: `test key (${own.key.prefix}…)`,
    'In the name of': own.user.name,
    Generation: id,
    Model: 'sandbox-image.text-to-image.draft',
  })
  await panel.getByText(/stored the result in [\d.]+ m?s/).waitFor()
  await expectAccessible(page)
  await screenshot(page, 'history-generation')

  await page.keyboard.press('Escape')
  await panel.waitFor({ state: 'detached' })
  expect(new URL(page.url()).search).toBe('')
})

test('a click shows an image in full size, and it downloads with its own name', async () => {
  const page = await aBrowserPage(app, { as: member, at: at(await aPicture()) })
  await panelOf(page).getByRole('button', { name: 'Show in full size' }).click()
  const large = page.getByRole('dialog', { name: 'Full size' })
  const { width } = (await large.getByRole('img', { name: 'Result: a lighthouse' }).boundingBox()) ?? {}
  expect(width).toBe(640)
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await large.waitFor({ state: 'detached' })
  const download = page.waitForEvent('download')
  await panelOf(page).getByRole('link', { name: 'Download' }).click()
  expect((await download).suggestedFilename()).toMatch(/^gen_.*\.png$/)
})

test('an owner can delete a result permanently, a member cannot', async () => {
  const id = await aPicture()
  const page = await aBrowserPage(app, { as: own.user, at: at(id) })
  await panelOf(page).getByRole('button', { name: 'Delete result' }).click()
  const dialog = page.getByRole('dialog', { name: 'Delete result' })
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Delete result' }).click()
  await panelOf(page).getByText('Result deleted').waitFor()
  expect(await panelOf(page).getByRole('button', { name: 'Delete result' }).count()).toBe(0)
  expect(await panelOf(page).getByRole('link', { name: 'Download' }).count()).toBe(0)
  await screenshot(page, 'history-result-deleted')

  const other = await aBrowserPage(app, { as: member, at: at(await aPicture()) })
  await panelOf(other).getByRole('link', { name: 'Download' }).waitFor()
  expect(await panelOf(other).getByRole('button', { name: 'Delete result' }).count()).toBe(0)
})

test('a failure shows the reason, what to do, and its codes and numbers', async () => {
  const id = await aStart({ prompt: 'too long' })
  await moves.fail(id, { code: 'prompt_validation', reason: 'prompt_too_long', details: { maxLength: 10, actualLength: 12 } })
  const page = await aBrowserPage(app, { as: member, at: at(id), viewport: { width: 360, height: 740 } })
  const alert = panelOf(page).getByRole('alert')
  for (const words of [
    'The prompt is longer than the model allows.',
    'Shorten the prompt.',
    'max length 10 · actual length 12',
    'prompt_validation / prompt_too_long',
  ])
    await alert.getByText(words).waitFor()
  expect(await facts(page)).toMatchObject({ Charged: '0 credits', Returned: '1 credit' })
  await expectNoSidewaysScrolling(page)
  await expectAccessible(page)
  await screenshot(page, 'history-failed')
})

test('text of the editor is rendered as plain text', async () => {
  const { generationId } = await recordEditorGeneration(operator, {
    teamId: own.team.id,
    userId: own.user.id,
    familyId: 'notes',
    outputType: 'text',
    state: 'ready',
    text: 'Two lines,\n<i>as written</i>.',
  })
  const page = await aBrowserPage(app, { as: own.user, at: at(generationId) })
  const result = panelOf(page).getByRole('region', { name: 'Result' })
  await result.waitFor()
  expect(await result.innerText()).toBe('Two lines,\n<i>as written</i>.')
  expect(await panelOf(page).getByRole('button', { name: 'Cancel generation' }).count()).toBe(0)
  await expectAccessible(page)
})

test.each([
  [
    'before it has begun',
    false,
    /has not begun.*will be returned/,
    'Cancelled. 1 credit returned.',
    { Charged: '0 credits', Returned: '1 credit' },
  ],
  ['once it has begun', true, /begun and is charged/, 'Cancelled. 1 credit charged.', { Charged: '1 credit' }],
] as const)('an owner cancels work %s, and knows before what it costs', async (_, begun, cost, outcome, costs) => {
  const id = await aStart()
  if (begun) await moves.begin(id)
  const page = await aBrowserPage(app, { as: own.user, at: at(id) })
  await panelOf(page).getByRole('button', { name: 'Cancel generation' }).click()
  const dialog = page.getByRole('dialog', { name: 'Cancel this generation?' })
  await dialog.getByText(cost).waitFor()
  await expectAccessible(page)
  await screenshot(page, `history-cancel-${begun ? 'begun' : 'queued'}`)
  await dialog.getByRole('button', { name: 'Cancel generation' }).click()
  await page.getByText(outcome).waitFor()
  await panelOf(page).getByRole('region', { name: 'Timeline' }).getByText('Cancelled', { exact: true }).waitFor()
  expect(await facts(page)).toMatchObject(costs)
  expect(await panelOf(page).getByRole('button', { name: 'Cancel generation' }).count()).toBe(0)
})

test('a member can follow work to its end, but not cancel it', async () => {
  const id = await aStart()
  const page = await aBrowserPage(app, { as: member, at: at(id) })
  await panelOf(page).getByText('Waiting for the model.').waitFor()
  expect(await panelOf(page).getByRole('button', { name: 'Cancel generation' }).count()).toBe(0)
  await moves.begin(id)
  await panelOf(page).getByText('The model is running.').waitFor()
  await moves.fail(id)
  await panelOf(page).getByText('The model did not answer in time.').waitFor()
})

test('a generation of another team looks like an unknown one, even for a member of both teams', async () => {
  const other = await aTeamWithKey(services)
  const both = await aUser(services)
  for (const { team } of [own, other]) await setTeamMember(operator, { teamId: team.id, userId: both.id, role: 'owner' })
  const theirs = await aStart({}, other)
  const page = await aBrowserPage(app, { as: both })
  for (const id of [theirs, 'gen_01kabc5m1dexampleexample00', 'gen_', '<b>x</b>']) {
    await page.goto(at(encodeURIComponent(id)))
    const alert = panelOf(page).getByRole('alert')
    await alert.getByText('No such generation').waitFor()
    expect(await alert.textContent()).toBe(`No such generationThis team has no generation with the identifier${id}`)
  }
})

test('a link that expires while the panel is open is replaced', async () => {
  const id = await aPicture()
  const page = await aBrowserPage(app, { as: member })
  const dead = new Set<string>()
  await page.route('**/r/*', (route) => {
    const { pathname } = new URL(route.request().url())
    if (dead.size === 0) dead.add(pathname)
    return dead.has(pathname) ? route.fulfill({ status: 404, json: {} }) : route.continue()
  })
  await page.goto(at(id))
  const image = panelOf(page).getByRole('img', { name: 'Result: a lighthouse' })
  await expect.poll(() => image.evaluate((element: HTMLImageElement) => element.naturalWidth), soon).toBe(640)
  expect(dead.size).toBe(1)
})

test('a missing file is reported, and can be requested again', async () => {
  const id = await aPicture()
  const page = await aBrowserPage(app, { as: member })
  await page.route('**/r/*', (route) => route.fulfill({ status: 404, json: {} }))
  await page.goto(at(id))
  await panelOf(page).getByText('The file could not be loaded').waitFor()
  await expectAccessible(page)
  await page.unroute('**/r/*')
  await panelOf(page).getByRole('button', { name: 'Try again' }).click()
  await panelOf(page).getByRole('img', { name: 'Result: a lighthouse' }).waitFor()
})
