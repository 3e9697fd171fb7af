import { readFile } from 'node:fs/promises'
import { afterAll, expect, test } from 'vitest'
import { updateKey } from '../../../../src/domain/access/keys/updateKey.ts'
import { testApp } from '../../../support/app.ts'
import { aBrowserPage } from '../../../support/browser/browser.ts'
import { expectAccessible, expectNoSidewaysScrolling, screenshot } from '../../../support/browser/browserChecks.ts'
import { aTeamWithKey } from '../../../support/factories.ts'
import { aMember, aPersonContext } from '../../../support/people/sessions.ts'

const app = await testApp()
afterAll(app.close)
const { services } = app

test('changes are listed, filtered, opened and exported', async () => {
  const { team, user, key } = await aTeamWithKey(services)
  const admin = await aMember(services, { teamId: team.id, role: 'admin' })
  const person = aPersonContext(services, { userId: user.id })
  await updateKey(person, { id: key.id, dailyLimitCredits: 7.5, name: 'robot' })
  await services.pool.query(
    `insert into audit_entries (at, team_id, actor_kind, actor_id, action, subject_id)
       select present(), $1, 'person', $2, 'key.issued', 'key_' || number from generate_series(1, 50) as number`,
    [team.id, admin.id],
  )
  const page = await aBrowserPage(app, { as: user, at: `/integrations/${team.id}/audit` })
  await page.getByRole('button', { name: 'Key issued' }).first().waitFor()
  await expect.poll(() => page.getByRole('row').count(), { timeout: 10_000 }).toBe(51)
  await page.getByRole('button', { name: 'Load more' }).click()
  await page.getByRole('button', { name: 'Team created' }).waitFor()
  await page
    .getByRole('row', { name: /^Team created/ })
    .getByRole('link', { name: team.name })
    .waitFor()
  expect(
    await page
      .getByRole('link', { name: 'key_50' })
      .locator('span')
      .evaluate((id) => getComputedStyle(id).fontFamily),
  ).toContain('Mono')
  await expectAccessible(page)
  await screenshot(page, 'audit')

  await page.getByRole('combobox', { name: 'Who' }).click()
  await page.getByRole('option', { name: user.name }).click()
  // Of the key's two entries only the one of this person is left, below the headings.
  await expect.poll(() => page.getByRole('row').count(), { timeout: 10_000 }).toBe(2)
  expect(await page.getByRole('link', { name: 'robot' }).getAttribute('href')).toBe(`/integrations/${team.id}/keys/${key.id}`)
  await page.getByRole('button', { name: 'Key changed' }).press('Enter')
  const panel = page.getByRole('dialog', { name: 'Entry' })
  await panel.getByRole('row', { name: 'Daily limit credits – 7.5' }).waitFor()
  await panel.getByRole('row', { name: 'Name not kept changed' }).waitFor()
  await expectAccessible(page)
  await screenshot(page, 'audit-entry')
  await page.setViewportSize({ width: 360, height: 740 })
  await expectNoSidewaysScrolling(page)
  await screenshot(page, 'audit-entry-narrow')
  await page.keyboard.press('Escape')
  await panel.waitFor({ state: 'detached' })
  await expectNoSidewaysScrolling(page)
  await page.emulateMedia({ colorScheme: 'dark' })
  await expectAccessible(page)
  await page.setViewportSize({ width: 1280, height: 800 })

  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Export CSV' }).click()
  const file = await (await download).path()
  const lines = (await readFile(file, 'utf8')).trim().split('\r\n')
  expect(lines).toHaveLength(2)
  expect(lines[1]).toContain(`key_updated,${key.id},robot`)

  await page.getByRole('combobox', { name: 'What' }).click()
  await page.getByRole('option', { name: 'Webhook deleted' }).click()
  await page.getByRole('heading', { name: 'No entry matches these filters' }).waitFor()
  await page.getByRole('button', { name: 'Clear filters' }).click()
  await page.getByRole('button', { name: 'Key issued' }).first().waitFor()
  await page.getByLabel('Until').fill('2020-01-01T00:00')
  await page.getByRole('heading', { name: 'No entry matches these filters' }).waitFor()
})
