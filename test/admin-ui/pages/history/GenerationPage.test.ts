import { afterAll, expect, test } from 'vitest'
import { testApp } from '../../../support/app.ts'
import { aBrowserPage } from '../../../support/browser/browser.ts'
import { expectAccessible, expectNoSidewaysScrolling, screenshot } from '../../../support/browser/browserChecks.ts'
import { aTeamWithKey } from '../../../support/factories.ts'
import { generationTransitions } from '../../../support/generations/generationTransitions.ts'
import { blackPng } from '../../../support/media/blackPng.ts'
import { aMember } from '../../../support/people/sessions.ts'
import { aSubscription, loopback } from '../../../support/webhooks/webhooks.ts'

const soon = { timeout: 10_000 }
const app = await testApp({ clock: 'database', settings: loopback })
afterAll(app.close)
const { services } = app
const moves = generationTransitions(services)
const own = await aTeamWithKey(services)
const png = blackPng({ width: 64, height: 48 })
const hook = 'http://127.0.0.1:9/hook'
await aSubscription(services, own, hook)

async function aStart(body: object): Promise<string> {
  const answer = await app.ask('POST /generations', { key: own.value, body: { familyId: 'sandbox-image', ...body } })
  return answer.body.generationId
}

async function becomesReady(id: string): Promise<void> {
  await moves.begin(id)
  await moves.gather(id)
  await moves.finish(id, png)
}

const oldest = await aStart({ prompt: 'the oldest' })
await becomesReady(oldest)
const { body: file } = await app.ask('POST /files', { key: own.value, body: { base64: png.toString('base64') } })
const middle = await aStart({ prompt: 'from inputs', imageIds: [oldest, file.fileId], parameters: { seed: 7 } })
await becomesReady(middle)
const newest = await aStart({ prompt: 'still queued' })

const openPage = (id: string, as: { id: string } = own.user, options: object = {}) =>
  aBrowserPage(app, { as, at: `/integrations/${own.team.id}/history/${id}`, ...options })

test('the page shows media, inputs, timeline, cost and deliveries', async () => {
  const page = await openPage(middle)
  await page.getByRole('heading', { name: 'Generation', level: 1 }).waitFor()
  const inputs = page.getByRole('region', { name: 'Inputs' })
  for (const image of [inputs.getByRole('listitem').first().locator('img'), inputs.getByRole('img', { name: `Input ${file.fileId}` })])
    await expect.poll(() => image.evaluate((each: HTMLImageElement) => each.naturalWidth), soon).toBe(64)
  await page.getByRole('region', { name: 'Deliveries' }).getByRole('link', { name: hook }).waitFor()
  expect(await page.getByRole('region', { name: 'Timeline' }).textContent()).toMatch(
    /Queued\d+ \w+ \d{4}, \d\d:\d\d:\d\d CES?T.*Running.*Finalizing\d+ \w+ \d{4}, \d\d:\d\d:\d\d CES?T · stored the result in [\d.]+ m?s.*Ready/,
  )
  const started = page.getByText('Started just now').locator('time')
  expect(await started.getAttribute('title')).toMatch(/^\d+ \w+ \d{4}, \d\d:\d\d:\d\d CES?T\n[\d-]+ [\d:]+ UTC$/)
  await expectAccessible(page)
  await screenshot(page, 'generation-page')
})

test('the timeline of work whose result could not be stored shows how long Finalizing took', async () => {
  const id = await aStart({ prompt: 'lost' })
  await moves.begin(id)
  await moves.gather(id)
  await moves.fail(id, { code: 'internal_error', reason: 'storage_failed' })
  const page = await openPage(id)
  const timeline = page.getByRole('region', { name: 'Timeline' })
  await timeline.getByText(/tried to store a result for [\d.]+ m?s/).waitFor()
  expect(await timeline.getByRole('listitem').or(timeline.locator('.mantine-Timeline-itemTitle')).allTextContents()).toEqual([
    'Queued',
    'Running',
    'Finalizing',
    'Failed',
  ])
})

test('previous and next go through the history, and Back returns', async () => {
  const page = await openPage(middle)
  await page.getByRole('link', { name: 'Next', exact: true }).click()
  await page.getByText('the oldest').waitFor()
  await page.getByRole('button', { name: 'Next', exact: true }).waitFor()
  expect(await page.getByRole('button', { name: 'Next', exact: true }).isDisabled()).toBe(true)
  await page.goBack()
  await page.getByText('from inputs').waitFor()
  await page.getByRole('link', { name: 'Previous', exact: true }).click()
  await page.getByText('still queued').waitFor()
  await page.getByRole('button', { name: 'Cancel generation' }).waitFor()
})

test('the address and the request are copied, and the request opens in the playground', async () => {
  const page = await openPage(middle)
  await page.evaluate(() => {
    Object.assign(window, { copied: [] as string[] })
    navigator.clipboard.writeText = async (text) => void (window as unknown as { copied: string[] }).copied.push(text)
  })
  await page.getByRole('button', { name: 'Copy link' }).click()
  await page.getByRole('button', { name: 'Copy as curl' }).click()
  const [link, curl] = await page.evaluate(() => (window as unknown as { copied: string[] }).copied)
  expect(link).toBe(page.url())
  expect(curl).toContain(oldest)
  await page.getByRole('link', { name: 'Edit and run' }).click()
  await expect.poll(() => page.getByLabel('Prompt').inputValue(), soon).toBe('from inputs')
  expect(await page.getByLabel('Seed').inputValue()).toBe('7')
})

test('a member sees no deliveries and cannot cancel; an unknown generation is not found', async () => {
  const member = await aMember(services, { teamId: own.team.id, role: 'member' })
  const page = await openPage(newest, member)
  await page.getByText('still queued').waitFor()
  expect(await page.getByRole('button', { name: 'Cancel generation' }).count()).toBe(0)
  expect(await page.getByRole('region', { name: 'Deliveries' }).count()).toBe(0)
  await page.goto(`/integrations/${own.team.id}/history/gen_nothing`)
  await page.getByRole('heading', { name: 'Not found' }).waitFor()
})

test.each([390, 1024])('at %i px nothing overflows the window', async (width) => {
  const page = await openPage(middle, own.user, { viewport: { width, height: 740 } })
  await page.getByRole('region', { name: 'Inputs' }).waitFor()
  await expectNoSidewaysScrolling(page)
})
