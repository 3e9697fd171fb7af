import { afterAll, expect, test } from 'vitest'
import { setTeamMember } from '../../../src/domain/access/teams/memberships.ts'
import { setTeamRuns } from '../../../src/domain/access/teams/teamRuns.ts'
import { testApp } from '../../support/app.ts'
import { aBrowserPage, type BrowserPage } from '../../support/browser/browser.ts'
import { expectAccessible, screenshot } from '../../support/browser/browserChecks.ts'
import { aServiceContext, aTeam, aUser } from '../../support/factories.ts'
import { blackPng } from '../../support/media/blackPng.ts'
import { aMember } from '../../support/people/sessions.ts'

const soon = { timeout: 15_000 }
const app = await testApp({ clock: 'database', worker: true })
afterAll(app.close)
const { services } = app
const tool = aServiceContext(services)
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

test('a newcomer goes from the sign-in to a finished picture in under 30 seconds', async () => {
  const password = 'correct horse battery'
  const user = await aUser(services, { password })
  await setTeamMember(tool, { teamId, userId: user.id, role: 'admin' })
  const page = await aBrowserPage(app, { at: '/integrations' })
  const startedAt = performance.now()
  await page.getByLabel('E-mail').fill(user.email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await button(page, 'Sign in').click()
  await page.getByRole('navigation').getByRole('link', { name: 'Playground' }).click()
  await page.getByText('1 credit', { exact: true }).waitFor()
  await button(page, 'Run').click()
  await picture(page).waitFor({ timeout: 30_000 })
  expect(performance.now() - startedAt).toBeLessThan(30_000)
})

test('a run by keyboard keeps the focus on its button', async () => {
  const page = await openPage(own.user, '?family=sandbox-image&prompt=by%20keyboard')
  await page.getByText('1 credit', { exact: true }).waitFor()
  await button(page, 'Run').focus()
  await page.keyboard.press('Enter')
  await result(page).getByText('by keyboard', { exact: true }).waitFor(soon)
  await picture(page).waitFor(soon)
  expect(await button(page, 'Run').evaluate((element) => element === document.activeElement)).toBe(true)
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

test('two results are compared, the request of one is put back into the form, and Back closes the comparison and then the result', async () => {
  const page = await openPage(own.user, '?family=sandbox-image&prompt=first')
  await page.getByText('1 credit', { exact: true }).waitFor()
  await button(page, 'Run').click()
  await picture(page).waitFor(soon)
  await page.getByLabel('Prompt').fill('second')
  await button(page, 'Run').click()
  await result(page).getByText('second', { exact: true }).waitFor(soon)
  await page.getByRole('button', { name: 'Compare first (Ready)' }).click()
  await expect.poll(() => picture(page).count(), soon).toBe(2)
  await result(page).getByRole('button', { name: 'Edit and run' }).last().click()
  await expect.poll(() => page.getByLabel('Prompt').inputValue(), soon).toBe('first')
  await screenshot(page, 'playground-compare')
  await page.goBack()
  await expect.poll(() => picture(page).count(), soon).toBe(1)
  expect(await page.getByLabel('Prompt').inputValue()).toBe('first')
  await page.goBack()
  await page.getByRole('heading', { name: 'Playground', level: 1 }).waitFor()
  await expect.poll(() => picture(page).getByText('second').count(), soon).toBe(0)
})

test('a run is cancelled from its result, and a failed one says why', async () => {
  const slow = encodeURIComponent('{"runSeconds":60}')
  const page = await openPage(own.user, `?family=sandbox-image&prompt=slow&parameters=${slow}`)
  await page.getByText('1 credit', { exact: true }).waitFor()
  await button(page, 'Run').click()
  await result(page).getByRole('button', { name: 'Cancel generation' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel generation' }).click()
  await result(page).getByText('Cancelled', { exact: true }).waitFor(soon)
  const failing = encodeURIComponent('{"outcome":"content_policy/prompt_rejected"}')
  const other = await openPage(own.user, `?family=sandbox-image&prompt=bad&parameters=${failing}`)
  await other.getByText('1 credit', { exact: true }).waitFor()
  await button(other, 'Run').click()
  await result(other).getByText('Failed', { exact: true }).waitFor(soon)
  await expectAccessible(other)
})

test('a member who may not run sees why and whom to ask, until it is allowed', async () => {
  const member = await aMember(services, { teamId, role: 'member' })
  const page = await openPage(member)
  await page.getByText('You cannot run models here').waitFor()
  await page.getByRole('link', { name: own.user.email }).waitFor()
  expect(await button(page, 'Run').count()).toBe(0)
  expect(await button(page, 'Upload').count()).toBe(0)
  await setTeamRuns(tool, { teamId, membersMayRun: true, dailyLimitCredits: 1 })
  await page.reload()
  await page.getByText('You can spend 1 credit more today', { exact: false }).waitFor()
  await button(page, 'Run').click()
  await picture(page).waitFor(soon)
  await page.reload()
  await page.getByText('It would exceed your daily ceiling', { exact: false }).waitFor(soon)
  await setTeamRuns(tool, { teamId, dailyLimitCredits: null })
})
