import { afterAll, expect, test } from 'vitest'
import { startGeneration } from '../../../../src/domain/generations/start/startGeneration.ts'
import { testApp } from '../../../support/app.ts'
import { aBrowserPage } from '../../../support/browser/browser.ts'
import { expectAccessible, screenshot } from '../../../support/browser/browserChecks.ts'
import { aTeamWithKey } from '../../../support/factories.ts'
import { endAtOnce } from '../../../support/generations/generationTransitions.ts'

const app = await testApp({ clock: 'database' })
afterAll(app.close)
const { services } = app

test('the statement lists each credit movement with a link to its generation', async () => {
  const made = await aTeamWithKey(services)
  const request = { familyId: 'sandbox-image', prompt: 'a boat' }
  const start = async () =>
    String((await startGeneration(made.context, made.spender, { request, idempotencyKey: undefined })).generation['generationId'])
  const [charged, failed, held] = [await start(), await start(), await start()]
  const image = { storageKey: 'none', mimeType: 'image/png', sizeBytes: 1, sha256: '', width: 1, height: 1, durationSeconds: null }
  await endAtOnce(made.context, charged, { to: 'ready', result: image })
  await endAtOnce(made.context, failed, { to: 'failed', failure: { code: 'timeout', reason: 'model_timeout' } })
  const page = await aBrowserPage(app, { as: made.user, at: `/integrations/${made.team.id}/team` })
  const rows = page.getByRole('table', { name: 'Statement' }).getByRole('row')
  await rows.nth(6).waitFor()
  const lines = await rows.evaluateAll((all) => all.slice(1).map((row) => [...row.children].slice(1).map((cell) => cell.textContent)))
  const work = 'sandbox-imageby test key'
  expect(lines).toEqual([
    ['Returned', work, '+1', '−1', '–'],
    ['Charged', work, '–', '−1', '1'],
    ['Held for work', work, '−1', '+1', '–'],
    ['Held for work', work, '−1', '+1', '–'],
    ['Held for work', work, '−1', '+1', '–'],
    ['Added', 'test', '+1,000', '–', '–'],
  ])
  await expectAccessible(page)
  await screenshot(page, 'team-statement')
  await page.getByRole('switch', { name: 'Only added credits' }).click()
  await page.waitForURL('**/team?credits=added')
  await expect.poll(() => rows.count()).toBe(2)
  await page.getByRole('switch', { name: 'Only added credits' }).click()
  await page.getByTitle(held).click()
  await page.waitForURL(`**/history?generation=${held}`)
})
