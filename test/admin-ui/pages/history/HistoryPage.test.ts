import { afterAll, expect, test } from 'vitest'
import { setTeamMember } from '../../../../src/domain/access/teams/memberships.ts'
import { recordEditorGeneration } from '../../../../src/domain/generations/start/recordEditorGeneration.ts'
import { testApp } from '../../../support/app.ts'
import { aBrowserPage, type BrowserPage } from '../../../support/browser/browser.ts'
import { expectAccessible, expectNoSidewaysScrolling, screenshot } from '../../../support/browser/browserChecks.ts'
import { aServiceContext, aTeam, aTeamWithKey, aUser, type TeamWithKey } from '../../../support/factories.ts'
import { generationTransitions } from '../../../support/generations/generationTransitions.ts'
import { blackPng } from '../../../support/media/blackPng.ts'

const soon = { timeout: 10_000 }
const app = await testApp({ clock: 'database' })
afterAll(app.close)
const { services } = app
const operator = aServiceContext(services)
const moves = generationTransitions(services)
const picture = blackPng({ width: 64, height: 48 })

async function aStart({ value }: TeamWithKey, body: object = {}): Promise<string> {
  const request = { familyId: 'sandbox-image', prompt: 'a lighthouse', ...body }
  const answer = await app.ask('POST /generations', { key: value, body: request })
  expect(answer.status).toBe(201)
  return answer.body.generationId
}

async function becomesReady(id: string): Promise<void> {
  await moves.begin(id)
  await moves.gather(id)
  await moves.finish(id, picture)
}

const hostile = '<img src=x onerror="document.title=1"> {{7*7}} \u202Ereversed'
const own = await aTeamWithKey(services)
const member = await aUser(services)
await setTeamMember(operator, { teamId: own.team.id, userId: member.id, role: 'member' })
const ready = await aStart(own, { prompt: hostile, reference: 'order 4711' })
await becomesReady(ready)
const failed = await aStart(own, { prompt: 'too long', axes: { version: 'pro' } })
await moves.fail(failed, { code: 'prompt_validation', reason: 'prompt_too_long', details: { maxLength: 10, actualLength: 12 } })
await recordEditorGeneration(operator, {
  teamId: own.team.id,
  userId: own.user.id,
  familyId: 'notes',
  outputType: 'text',
  prompt: 'Say hello.',
  state: 'ready',
  text: 'Hello.',
})
const queued = await aStart(own, { prompt: 'a queue' })

const at = (query = '', { team } = own) => `/integrations/${team.id}/history${query}`
const row = (page: BrowserPage, words: string) => page.getByRole('row').filter({ hasText: words })
const rowsOf = (page: BrowserPage) => page.getByRole('table', { name: 'Generations' }).getByRole('row')

/** Checks the rows below the headings. */
async function expectRows(page: BrowserPage, ...words: string[]): Promise<void> {
  await expect
    .poll(async () => (await rowsOf(page).allTextContents()).slice(1), soon)
    .toEqual(words.map((each) => expect.stringContaining(each)))
}

test('a row shows output, source, key and cost, with hostile texts as plain text', async () => {
  const page = await aBrowserPage(app, { as: member, at: at() })
  await expectRows(page, 'a queue', 'Say hello.', 'too long', hostile)
  const cells = async (words: string) => (await row(page, words).getByRole('cell').allTextContents()).slice(1, 4)
  expect(await cells('a queue')).toEqual(['Queued', 'REST · test key', '1 held'])
  expect(await cells('too long')).toEqual(['Failed', 'REST · test key', '08 returned'])
  expect(await cells('Say hello.')).toEqual(['Ready', 'Editor', '–'])
  expect(await cells(hostile)).toEqual(['Ready', 'REST · test keyorder 4711', '1'])
  const thumbnail = row(page, hostile).locator('img')
  await expect.poll(() => thumbnail.evaluate((image: HTMLImageElement) => image.naturalWidth), soon).toBe(64)
  expect(await page.title()).toContain('History')
  await expectAccessible(page)
  await screenshot(page, 'history')
})

test('on a phone nothing overflows the window, and the list begins in it, below a button for all filters', async () => {
  const page = await aBrowserPage(app, { as: member, at: at(), viewport: { width: 360, height: 740 } })
  await rowsOf(page).first().waitFor()
  expect((await rowsOf(page).first().boundingBox())?.y).toBeLessThan(500)
  await page.getByRole('button', { name: 'More filters' }).click()
  await page.getByRole('combobox', { name: 'State' }).waitFor()
  await expectNoSidewaysScrolling(page)
  await expectAccessible(page)
})

test('each filter narrows the list, is in the URL, and is restored from it', async () => {
  const page = await aBrowserPage(app, { as: member, at: at() })
  const choose = async (filter: string, option: string) => {
    await page.getByRole('combobox', { name: filter, exact: true }).click()
    await page.getByRole('option', { name: option }).click()
  }
  const clear = () => page.getByRole('button', { name: 'Clear filters' }).first().click()
  await choose('State', 'Failed')
  await expectRows(page, 'too long')
  expect(new URL(page.url()).search).toBe('?state=FAILED')
  await page.reload()
  await expectRows(page, 'too long')
  await clear()
  await choose('Source', 'Editor')
  await expectRows(page, 'Say hello.')
  await clear()
  await choose('Makes', 'Text')
  await expectRows(page, 'Say hello.')
  await clear()
  await choose('Family', 'Sandbox Image')
  await expectRows(page, 'a queue', 'too long', hostile)
  await choose('Key', 'test key')
  await page.getByRole('textbox', { name: 'Reference' }).fill('order 4711')
  await expectRows(page, hostile)
  expect(Object.fromEntries(new URL(page.url()).searchParams)).toEqual({
    family: 'sandbox-image',
    key: own.key.id,
    reference: 'order 4711',
  })
  await page.getByRole('textbox', { name: 'Reference' }).fill('order')
  await page.getByRole('heading', { name: 'No generation matches these filters' }).waitFor()
  await expectAccessible(page)
  await screenshot(page, 'history-nothing-fits')
  await clear()
  await expectRows(page, 'a queue', 'Say hello.', 'too long', hostile)
})

test('unfinished rows are updated in place, and new rows wait until they are requested', async () => {
  const team = await aTeamWithKey(services)
  const first = await aStart(team, { prompt: 'the first' })
  await becomesReady(first)
  const second = await aStart(team, { prompt: 'the second' })
  const page = await aBrowserPage(app, { as: team.user, at: at('', team) })
  await expectRows(page, 'the second', 'the first')
  const source = () => row(page, 'the first').locator('img').getAttribute('src')
  const before = await source()
  await aStart(team, { prompt: 'the third' })
  await becomesReady(second)
  await row(page, 'the second').getByText('Ready').waitFor()
  await expectRows(page, 'the second', 'the first')
  expect(await source()).toBe(before)
  await page.getByRole('button', { name: 'Show 1 new generation' }).click()
  await expectRows(page, 'the third', 'the second', 'the first')
})

test('a long history loads page by page, and says how long it is', async () => {
  const team = await aTeamWithKey(services)
  for (let count = 0; count < 30; count += 1) await aStart(team, { prompt: `number ${count}` })
  const page = await aBrowserPage(app, { as: team.user, at: at('', team) })
  await expect.poll(() => rowsOf(page).count(), soon).toBe(1 + 24)
  const count = page.getByText('30 generations', { exact: true })
  await count.waitFor()
  const middleOf = async (locator: typeof count) => {
    const { y = 0, height = 0 } = (await locator.boundingBox()) ?? {}
    return y + height / 2
  }
  expect(await middleOf(count)).toBeCloseTo(await middleOf(page.getByRole('button', { name: 'Export CSV' })), -1)
  await page.getByRole('checkbox', { name: 'Select all' }).check()
  await page.getByText('Older generations are not loaded, so not selected.').waitFor()
  await expectAccessible(page)
  await screenshot(page, 'history-all-selected')
  await page.getByRole('button', { name: 'Load 48 more' }).click()
  await expect.poll(() => rowsOf(page).count(), soon).toBe(1 + 30)
  await count.waitFor()
  await page.getByText('24 selected', { exact: true }).waitFor()
  expect(await page.getByRole('button', { name: /^Load / }).count()).toBe(0)
})

test('an empty history shows how to start', async () => {
  const { user, team } = await aTeam(services)
  const page = await aBrowserPage(app, { as: user, at: `/integrations/${team.id}/history` })
  await page.getByRole('heading', { name: 'No generation yet' }).waitFor()
  await page.getByText(`${app.origin}/api/v1/generations`).waitFor()
  await expectAccessible(page)
  await screenshot(page, 'history-empty')
  await page.getByRole('link', { name: 'Run a model' }).click()
  await page.getByRole('heading', { name: 'Playground', level: 1 }).waitFor()
})

test('a history that fails to load shows the error with its request id, and loads on retry', async () => {
  const page = await aBrowserPage(app, { as: member })
  let refusals = 0
  await page.route('**/graphql', async (route) => {
    if (!route.request().postData()?.includes('query History(') || refusals > 0) return route.continue()
    refusals += 1
    const error = { message: 'The service is temporarily unavailable.', extensions: { code: 'service_unavailable', retryable: true } }
    return route.fulfill({ json: { data: null, errors: [error] }, headers: { 'X-Request-Id': 'req_shown' } })
  })
  await page.goto(at())
  const alert = page.getByRole('alert')
  await alert.getByText('req_shown').waitFor()
  await alert.getByRole('button', { name: 'Try again' }).click()
  await expectRows(page, 'a queue', 'Say hello.', 'too long', hostile)
  expect(queued).toMatch(/^gen_/)
})

test('the history is searched in prompts, by day and by person, and shown as a grid', async () => {
  const page = await aBrowserPage(app, { as: own.user, at: at() })
  await page.getByRole('textbox', { name: 'Search' }).fill('QUEUE')
  await expectRows(page, 'a queue')
  await page.getByLabel('To', { exact: true }).fill('2020-01-01')
  await page.getByText('No generation matches these filters').waitFor()
  await page.getByRole('button', { name: 'Clear filters' }).first().click()
  await page.getByRole('combobox', { name: 'Period' }).click()
  await page.getByRole('option', { name: 'Previous month' }).click()
  await page.getByText('No generation matches these filters').waitFor()
  await page.getByRole('combobox', { name: 'Period' }).click()
  await page.getByRole('option', { name: 'Custom' }).click()
  await page.waitForURL(/[?&]from=\d{4}-\d{2}-01&to=/)
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Clear filters' }).first().click()
  await page.getByRole('combobox', { name: 'Who' }).fill(own.user.email.toUpperCase())
  await page.getByRole('combobox', { name: 'Who' }).press('Enter')
  await expect.poll(() => new URL(page.url()).searchParams.get('who'), soon).toBe(own.user.id)
  await page.getByText('Grid', { exact: true }).click()
  await page.getByRole('list', { name: 'Generations' }).getByRole('button', { name: 'a queue' }).waitFor()
  await expectAccessible(page)
  await screenshot(page, 'history-grid')
})
