import { readFile } from 'node:fs/promises'
import { afterAll, expect, test } from 'vitest'
import { testApp } from '../../../support/app.ts'
import { aBrowserPage } from '../../../support/browser/browser.ts'
import { expectAccessible, expectNoSidewaysScrolling, screenshot } from '../../../support/browser/browserChecks.ts'
import { aTeamWithKey } from '../../../support/factories.ts'
import { generationTransitions } from '../../../support/generations/generationTransitions.ts'
import { blackPng } from '../../../support/media/blackPng.ts'

const app = await testApp({ clock: 'database' })
afterAll(app.close)
const { services } = app
const own = await aTeamWithKey(services)

async function aStart(prompt: string): Promise<string> {
  const answer = await app.ask('POST /generations', { key: own.value, body: { familyId: 'sandbox-image', prompt } })
  return answer.body.generationId
}

const moves = generationTransitions(services)

async function becomesReady(id: string): Promise<void> {
  await moves.begin(id)
  await moves.gather(id)
  await moves.finish(id, blackPng({ width: 64, height: 48 }))
}

const exported = await aStart('too long')
const at = (query: string) => `/integrations/${own.team.id}/history${query}`

test('chosen generations are cancelled together, and on a phone rows are cards', async () => {
  const ids = [await aStart('first of two'), await aStart('second of two')]
  const page = await aBrowserPage(app, { as: own.user, at: at('?search=of+two'), viewport: { width: 390, height: 800 } })
  for (const name of ['first of two', 'second of two']) await page.getByRole('checkbox', { name: `Select ${name}` }).check()
  await expectNoSidewaysScrolling(page)
  await expectAccessible(page)
  await screenshot(page, 'history-cards')
  await page.getByRole('button', { name: 'Cancel generations' }).click()
  await page.getByRole('dialog', { name: 'Cancel 2 generations?' }).getByRole('button', { name: 'Cancel generations' }).click()
  await page.getByText('2 generations cancelled.').waitFor()
  for (const id of ids) expect((await app.ask(`GET /generations/${id}`, { key: own.value })).body.state).toBe('cancelled')
})

test('a generation whose cancel is refused stays selected, with the reason', async () => {
  const [refused, done] = [await aStart('part refused'), await aStart('part done')]
  const page = await aBrowserPage(app, { as: own.user, at: at('?search=part') })
  await page.route('**/graphql*', async (route) => {
    const body = route.request().postData() ?? ''
    await (body.includes('CancelGeneration') && body.includes(refused) ? route.abort() : route.fallback())
  })
  for (const name of ['part refused', 'part done']) await page.getByRole('checkbox', { name: `Select ${name}` }).check()
  await page.getByRole('button', { name: 'Cancel generations' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel generations' }).click()
  const notice = page.getByRole('alert').filter({ hasText: '1 of 2 generations cancelled.' })
  await notice.getByText('part refused: The server cannot be reached').waitFor()
  expect(await page.getByRole('checkbox', { name: 'Select part refused' }).isChecked()).toBe(true)
  expect(await page.getByRole('checkbox', { name: 'Select part done' }).isChecked()).toBe(false)
  await screenshot(page, 'history-refused')
  expect((await app.ask(`GET /generations/${done}`, { key: own.value })).body.state).toBe('cancelled')
})

test('rows whose results were deleted say so', async () => {
  await becomesReady(await aStart('to delete'))
  const page = await aBrowserPage(app, { as: own.user, at: at('?search=to+delete') })
  await page.getByRole('checkbox', { name: 'Select to delete' }).check()
  await page.getByRole('button', { name: 'Delete results' }).click()
  await page.getByRole('dialog', { name: 'Delete 1 result?' }).getByRole('button', { name: 'Delete results' }).click()
  await page.getByRole('cell', { name: 'Ready Result deleted' }).waitFor()
  await page.getByText('Grid', { exact: true }).click()
  await page.getByRole('button', { name: /to delete Result deleted/ }).waitFor()
  await expectAccessible(page)
  await screenshot(page, 'history-deleted')
})

test('the filtered history is exported, with the person and the code of a failure after the other columns', async () => {
  await moves.fail(exported, { code: 'prompt_validation', reason: 'prompt_too_long', details: { maxLength: 10, actualLength: 12 } })
  const page = await aBrowserPage(app, { as: own.user, at: at('?search=too+long') })
  await page.getByRole('button', { name: /too long/ }).waitFor()
  const started = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Export CSV' }).click()
  const lines = (await readFile(await (await started).path(), 'utf8')).trim().split('\r\n')
  expect(lines).toHaveLength(2)
  expect(lines[0]?.replace('\uFEFF', '')).toBe(
    'id,created,started,finished,state,source,family,variant,axes,prompt,reference,key,price,charged,failure,person,failure code,failure reason',
  )
  expect(lines[1]?.split(',')[0]).toBe(exported)
  expect(lines[1]?.split(',').slice(-3)).toEqual([own.user.name, 'prompt_validation', 'prompt_too_long'])
})
