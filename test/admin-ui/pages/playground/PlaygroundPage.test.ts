import { afterAll, expect, test } from 'vitest'
import { testApp } from '../../../support/app.ts'
import { aBrowserPage, type BrowserPage } from '../../../support/browser/browser.ts'
import { expectAccessible, expectNoSidewaysScrolling, screenshot } from '../../../support/browser/browserChecks.ts'
import { aTeam } from '../../../support/factories.ts'
import { blackPng } from '../../../support/media/blackPng.ts'

const soon = { timeout: 15_000 }
const app = await testApp({ clock: 'database', worker: true })
afterAll(app.close)
const { services } = app
const own = await aTeam(services)
const teamId = own.team.id
const png = blackPng({ width: 64, height: 64 })

const openPage = (as: { id: string }, query = '', options: object = {}) =>
  aBrowserPage(app, { as, at: `/integrations/${teamId}/playground${query}`, ...options })
const button = (page: BrowserPage, name: string) => page.getByRole('button', { name, exact: true })
const result = (page: BrowserPage) => page.getByRole('region', { name: 'Result' })
const picture = (page: BrowserPage) => result(page).getByRole('img')

/** The requests that the page sent to start generations. */
function watchStarts(page: BrowserPage): { input: Record<string, unknown>; idempotencyKey: string }[] {
  const starts: { input: Record<string, unknown>; idempotencyKey: string }[] = []
  page.on('request', (request) => {
    const body = request.postData() ?? ''
    if (request.url().endsWith('/graphql') && body.includes('startGeneration')) starts.push(JSON.parse(body).variables)
  })
  return starts
}

test('a newcomer runs the example with one click, at no more than the shown price', async () => {
  const page = await openPage(own.user)
  const starts = watchStarts(page)
  await page.getByRole('heading', { name: 'Playground', exact: true }).waitFor()
  await page.getByText('1 credit', { exact: true }).waitFor()
  await expectAccessible(page)
  await button(page, 'Run').click()
  await picture(page).waitFor(soon)
  await result(page).getByText('Ready', { exact: true }).waitFor()
  expect(starts).toMatchObject([
    { input: { familyId: 'sandbox-image', maxCredits: 1 }, idempotencyKey: expect.stringMatching(/^playground-/) },
  ])
  await button(page, 'Run again').click()
  await expect.poll(() => page.getByRole('button', { name: /^Show A lighthouse/ }).count(), soon).toBe(2)
  expect(new Set(starts.map(({ idempotencyKey }) => idempotencyKey)).size).toBe(2)
  await picture(page).waitFor(soon)
  await expectAccessible(page)
  await screenshot(page, 'playground')
})

test('the address has the whole request, and edits of it replace no entry of the history', async () => {
  const page = await openPage(own.user)
  await page.getByLabel('Prompt').fill('A red door')
  await page.getByLabel('Seed').fill('7')
  await expect.poll(() => new URL(page.url()).searchParams.get('parameters'), soon).toBe('{"seed":7}')
  const { search } = new URL(page.url())
  const other = await openPage(own.user, search)
  await expect.poll(() => other.getByLabel('Prompt').inputValue(), soon).toBe('A red door')
  expect(await other.getByLabel('Seed').inputValue()).toBe('7')
  await other.getByText('Python', { exact: true }).click()
  await expect
    .poll(() => other.getByRole('region', { name: 'The same request', exact: true }).textContent(), soon)
    .toContain('parameters={"seed": 7}')
})

test('an image is uploaded by hand, and the run uses it', async () => {
  const page = await openPage(own.user, '?family=sandbox-image&variant=sandbox-image.image-to-image.draft&prompt=more')
  const starts = watchStarts(page)
  const inputs = page.getByRole('group', { name: 'Images' })
  await inputs.getByText('Takes 1 to 4 images', { exact: false }).waitFor()
  await page.locator('input[type=file]').setInputFiles({ name: 'door.png', mimeType: 'image/png', buffer: png })
  await inputs.getByText('door.png').waitFor()
  await inputs.getByRole('button', { name: 'Remove door.png' }).waitFor()
  await page.locator('input[type=file]').setInputFiles({ name: 'fake.png', mimeType: 'image/png', buffer: Buffer.from('no picture') })
  await inputs.getByRole('alert').waitFor()
  await inputs.getByRole('button', { name: 'Cancel the upload of fake.png' }).click()
  await button(page, 'Run').click()
  await picture(page).waitFor(soon)
  expect(starts[0]?.input['imageIds']).toEqual([expect.stringMatching(/^file_/)])
})

test.each([360, 1024])('at %i px nothing overflows the window', async (width) => {
  const page = await openPage(own.user, '', { viewport: { width, height: 740 } })
  await button(page, 'Run').waitFor()
  await expectNoSidewaysScrolling(page)
})
