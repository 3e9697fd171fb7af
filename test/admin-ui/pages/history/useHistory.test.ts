import { afterAll, expect, test } from 'vitest'
import { recordEditorGeneration } from '../../../../src/domain/generations/start/recordEditorGeneration.ts'
import { testApp } from '../../../support/app.ts'
import { aBrowserPage } from '../../../support/browser/browser.ts'
import { aServiceContext, aTeamWithKey } from '../../../support/factories.ts'

const app = await testApp({ clock: 'database' })
afterAll(app.close)
const own = await aTeamWithKey(app.services)

async function aText(prompt: string): Promise<void> {
  const ids = { teamId: own.team.id, userId: own.user.id }
  await recordEditorGeneration(aServiceContext(app.services), {
    ...ids,
    familyId: 'notes',
    outputType: 'text',
    prompt,
    state: 'ready',
    text: 'Hello.',
  })
}

test('Back to a long history shows the rows that were loaded, with the opened row in the window, and offers new rows', async () => {
  for (let number = 1; number <= 60; number += 1) await aText(`note ${number}.`)
  const page = await aBrowserPage(app, { as: own.user, at: `/integrations/${own.team.id}/history` })
  await page.getByRole('button', { name: 'Load more' }).click()
  const row = page.getByRole('row').filter({ hasText: 'note 3.' })
  await row.scrollIntoViewIfNeeded()
  await row.getByText('note 3.').click()
  await page.getByRole('link', { name: 'Open page' }).click()
  await page.getByRole('link', { name: 'Previous', exact: true }).waitFor()
  await aText('note 61.')
  await page.goBack()
  await page.goBack()
  await row.waitFor()
  const isInWindow = () =>
    row.evaluate((element) => {
      const { top, bottom } = element.getBoundingClientRect()
      return bottom > 0 && top < innerHeight
    })
  await expect.poll(isInWindow, { timeout: 5_000 }).toBe(true)
  await page.getByRole('button', { name: 'Show 1 new generation' }).waitFor()
})
