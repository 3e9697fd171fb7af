import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { afterAll, expect, test } from 'vitest'
import { issueKey } from '../../../../src/domain/access/keys/issueKey.ts'
import { spenderOf } from '../../../../src/domain/access/spender.ts'
import { setTeamMember } from '../../../../src/domain/access/teams/memberships.ts'
import { contextFor } from '../../../../src/domain/context.ts'
import { startGeneration } from '../../../../src/domain/generations/start/startGeneration.ts'
import { testApp } from '../../../support/app.ts'
import { aBrowserPage } from '../../../support/browser/browser.ts'
import { expectAccessible, expectNoSidewaysScrolling, screenshot } from '../../../support/browser/browserChecks.ts'
import { actorOf, aServiceContext, aTeam, aUser } from '../../../support/factories.ts'
import { endAtOnce } from '../../../support/generations/generationTransitions.ts'

const app = await testApp()
afterAll(app.close)
const { services, clock } = app
const tool = aServiceContext(services)
const today = '2026-03-10T12:00:00.000Z'
const image = { storageKey: 'none', mimeType: 'image/png', sizeBytes: 1, sha256: '', width: 1, height: 1, durationSeconds: null }

type Family = 'sandbox-image' | 'sandbox-video' | 'sandbox-3d'

async function aKey(teamId: string, userId: string, name: string, dailyLimitCredits?: number) {
  const { apiKey: key } = await issueKey(tool, { teamId, userId, name, scopes: ['generations:write'], dailyLimitCredits })
  const actor = actorOf(key)
  const context = contextFor(services, actor)
  const start = async (familyId: Family, parameters = {}) => {
    const request = { familyId, prompt: 'a boat', parameters }
    const { generation } = await startGeneration(context, spenderOf(actor), { request, idempotencyKey: undefined })
    return String(generation['generationId'])
  }
  /** Adds a generation that ended on a day. A draft costs 1 credit, a model 3, a second of video 2. */
  const ran = async (day: string, familyId: Family, to: 'ready' | 'failed' = 'ready') => {
    await clock.set(`${day}T10:00:00.000Z`)
    const id = await start(familyId, familyId === 'sandbox-video' ? { durationSeconds: 5 } : {})
    const ending = to === 'ready' ? { to, result: image } : { to, failure: { code: 'timeout', reason: 'model_timeout' } as const }
    await endAtOnce(context, id, ending)
    await clock.set(today)
  }
  return { key, start, ran }
}

/** A team with two keys, four days of work, and unfinished work. */
async function aBusyTeam() {
  const { team, user } = await aTeam(services)
  const bot = await aKey(team.id, user.id, 'render-bot', 20)
  const site = await aKey(team.id, user.id, '=cmd|"site"')
  await site.ran('2026-02-20', 'sandbox-image')
  await bot.ran('2026-03-01', 'sandbox-3d')
  await bot.ran('2026-03-08', 'sandbox-image')
  await bot.ran('2026-03-08', 'sandbox-image', 'failed')
  await site.ran('2026-03-08', 'sandbox-video')
  await bot.ran('2026-03-10', 'sandbox-video')
  await bot.start('sandbox-3d')
  await bot.start('sandbox-3d')
  return { team, user, bot, site }
}

/** Opens the page with the browser clock set to the service clock. */
async function usagePage(teamId: string, as: { id: string }, search = '') {
  const page = await aBrowserPage(app, { as })
  await page.clock.setFixedTime(today)
  await page.goto(`/integrations/${teamId}/usage${search}`)
  await page.getByRole('heading', { level: 1, name: 'Usage' }).waitFor()
  return page
}

/** The rows of a table as texts, totals last. */
async function linesOf(page: Page, label: string): Promise<string[][]> {
  const rows = page.getByRole('table', { name: label }).getByRole('row')
  await rows.nth(1).waitFor()
  return await rows.evaluateAll((all) => all.slice(1).map((row) => [...row.children].map((cell) => (cell as HTMLElement).innerText.trim())))
}

const nothing = (cells: number) => Array.from({ length: cells }, () => '–')
const busy = await aBusyTeam()

test('the last month is shown in a chart and a table with the same numbers', async () => {
  const page = await usagePage(busy.team.id, busy.user)
  const chart = page.getByRole('img', { name: /Daily credits, 9 Feb 2026 – 10 Mar 2026/ })
  await chart.getByText('Credits of all keys and families').waitFor()
  expect(await linesOf(page, 'Daily usage')).toEqual([
    ['10 Mar 2026', '1', '1', '0', '0', '10'],
    ['9 Mar 2026', ...nothing(5)],
    ['8 Mar 2026', '3', '2', '1', '0', '11'],
    ['2 Mar – 7 Mar 2026', ...nothing(5)],
    ['1 Mar 2026', '1', '1', '0', '0', '3'],
    ['21 Feb – 28 Feb 2026', ...nothing(5)],
    ['20 Feb 2026', '1', '1', '0', '0', '1'],
    ['9 Feb – 19 Feb 2026', ...nothing(5)],
    ['Total', '6', '5', '1', '0', '25'],
  ])
  await page.getByText('Days are in UTC: each begins at 01:00 in Europe/Berlin').waitFor()
  await page.getByRole('region', { name: 'Sum' }).getByText('83.3%').waitFor()
  const forecast = page.getByRole('region', { name: 'Forecast' })
  expect(await forecast.innerText()).toBe('This month so far: 24 credits. At the pace of the last 7 days, about 57 credits by 31 Mar.')
  await expectAccessible(page)
  await screenshot(page, 'usage-days')
})

test('keys show their share of the total and of each day, and link to their history', async () => {
  const page = await usagePage(busy.team.id, busy.user, '?by=key')
  await page.getByRole('img', { name: /Daily credits of keys/ }).waitFor()
  expect(await linesOf(page, 'Usage of keys')).toEqual([
    [`render-bot${busy.bot.key.prefix}…`, '4', '3', '1', '0', '14', '56%'],
    [`=cmd|"site"${busy.site.key.prefix}…`, '2', '2', '0', '0', '11', '44%'],
    ['Total', '6', '5', '1', '0', '25', '100%'],
  ])
  expect((await linesOf(page, 'Daily credits of keys')).map((line) => line.at(-1)).slice(0, 4)).toEqual(['10', '–', '11', '–'])
  await expectAccessible(page)
  await screenshot(page, 'usage-keys')
  await page.getByRole('link', { name: 'render-bot' }).click()
  await page.waitForURL(`**/integrations/${busy.team.id}/history?key=${busy.bot.key.id}`)
})

test('on a phone nothing overflows, and the total is a card that names its numbers', async () => {
  const page = await usagePage(busy.team.id, busy.user)
  await page.setViewportSize({ width: 390, height: 844 })
  const total = page.getByRole('row').filter({ has: page.getByRole('rowheader', { name: 'Total' }) })
  await expect
    .poll(() => total.getByRole('cell').allTextContents())
    .toEqual(['Generations6', 'Ready5', 'Failed1', 'Cancelled0', 'Credits25'])
  await expectNoSidewaysScrolling(page)
})

test('filters and periods are in the URL', async () => {
  const page = await usagePage(busy.team.id, busy.user)
  await page.getByRole('combobox', { name: 'By' }).click()
  await page.getByRole('option', { name: 'Family' }).click()
  expect((await linesOf(page, 'Usage of families')).map(([name]) => name)).toEqual([
    'sandbox-video',
    'sandbox-3d',
    'sandbox-image',
    'Total',
  ])
  await page.getByRole('combobox', { name: 'Period' }).click()
  await page.getByRole('option', { name: '7 days' }).click()
  await page.waitForURL('**/usage?by=family&period=7d')
  await expect.poll(() => page.getByLabel('From').inputValue()).toBe('4 Mar 2026')
  await expect.poll(() => linesOf(page, 'Usage of families').then((lines) => lines.at(-1)?.[5])).toBe('21')
  await page.getByLabel('From').fill('2026-03-09')
  await expect.poll(() => linesOf(page, 'Usage of families').then((lines) => lines.at(-1)?.[5])).toBe('10')
  await page.reload()
  expect(await page.getByLabel('From').inputValue()).toBe('9 Mar 2026')
  await page.getByLabel('To').fill('2026-03-08')
  await page.getByText('Choose a day on or after From.').waitFor()
  await page.getByLabel('To').fill('2026-12-08')
  await page.getByText('Choose a day at most 92 days after From.').waitFor()
  await page.getByRole('combobox', { name: 'Period' }).click()
  await page.getByRole('option', { name: 'Previous month' }).click()
  await expect.poll(() => linesOf(page, 'Usage of families').then((lines) => lines.at(-1)?.[5])).toBe('1')
  await expect.poll(() => page.getByLabel('To').inputValue()).toBe('28 Feb 2026')
  await expectAccessible(page)
})

test('one key or one family has its own days, with its success rate and the time that it took', async () => {
  const page = await usagePage(busy.team.id, busy.user)
  await page.getByRole('combobox', { name: 'Key' }).click()
  await page.getByRole('option', { name: /^render-bot/ }).click()
  const days = () => linesOf(page, 'Daily usage')
  await expect.poll(days).toEqual([
    ['10 Mar 2026', '1', '1', '0', '0', '100%', '–', '–', '–', '–', '10'],
    ['9 Mar 2026', ...nothing(10)],
    ['8 Mar 2026', '2', '1', '1', '0', '50%', '–', '–', '–', '–', '1'],
    ['2 Mar – 7 Mar 2026', ...nothing(10)],
    ['1 Mar 2026', '1', '1', '0', '0', '100%', '–', '–', '–', '–', '3'],
    ['9 Feb – 28 Feb 2026', ...nothing(10)],
    ['Total', '4', '3', '1', '0', '75%', '–', '–', '–', '–', '14'],
  ])
  await page.getByRole('img', { name: /Daily credits/ }).waitFor()
  await expectAccessible(page)
  await screenshot(page, 'usage-of-key')
  await page.getByRole('combobox', { name: 'Family' }).click()
  await page.getByRole('option', { name: 'Sandbox video' }).click()
  await page.waitForURL('**/usage?family=sandbox-video')
  await expect.poll(async () => (await days()).at(-1)).toEqual(['Total', '2', '2', '0', '0', '100%', '–', '–', '–', '–', '20'])
  const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'Export CSV' }).click()])
  expect(download.suggestedFilename()).toBe('usage-of-sandbox-video-2026-02-09-2026-03-10.csv')
  expect(await readFile(await download.path(), 'utf8')).toContain('2026-03-10,1,1,0,0,10,,,,,,')
})

test('the nearest limit is shown first, with held credits and reset time', async () => {
  const page = await usagePage(busy.team.id, busy.user)
  const limit = page.getByRole('region', { name: 'Nearest limit' })
  await limit.getByText('render-bot has used 16 of 20 credits today.').waitFor()
  await limit.getByText(/It resets in [\d hmins]+, at 01:00 \(00:00 UTC\)\./).waitFor()
  await limit.getByText('969 credits are available.').waitFor()
  await page.getByRole('region', { name: 'Credits on hold' }).getByText('Unfinished: 2 queued.').waitFor()
})

test('the export has every row of the table and no formulas', async () => {
  const page = await usagePage(busy.team.id, busy.user, '?by=key&from=2026-03-01&to=2026-03-10')
  await linesOf(page, 'Usage of keys')
  const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'Export CSV' }).click()])
  expect(download.suggestedFilename()).toBe('usage-by-key-2026-03-01-2026-03-10.csv')
  const [bot, site] = [busy.bot.key, busy.site.key]
  expect((await readFile(await download.path(), 'utf8')).replace('\uFEFF', '').split('\r\n')).toEqual([
    'key,key id,prefix,generations,ready,failed,cancelled,credits',
    `render-bot,${bot.id},${bot.prefix},4,3,1,0,14`,
    `"'=cmd|""site""",${site.id},${site.prefix},1,1,0,0,10`,
    '',
  ])
})

test('a member sees usage by key name; a team without usage sees how to start', async () => {
  const member = await aUser(services)
  await setTeamMember(tool, { teamId: busy.team.id, userId: member.id, role: 'member' })
  const page = await usagePage(busy.team.id, member, '?by=key')
  expect((await linesOf(page, 'Usage of keys'))[0]?.[0]).toContain('render-bot')

  const { team, user } = await aTeam(services)
  const empty = await usagePage(team.id, user)
  await empty.getByRole('heading', { name: 'No generations ended in this period' }).waitFor()
  await empty.getByText('No generation is running.').waitFor()
  await expectAccessible(empty)
  await screenshot(empty, 'usage-empty')
})
