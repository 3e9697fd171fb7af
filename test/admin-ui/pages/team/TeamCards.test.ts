import { afterAll, expect, test } from 'vitest'
import { testApp } from '../../../support/app.ts'
import { aBrowserPage } from '../../../support/browser/browser.ts'
import { expectNoSidewaysScrolling } from '../../../support/browser/browserChecks.ts'
import { aTeam } from '../../../support/factories.ts'

const app = await testApp({ clock: 'database' })
afterAll(app.close)

test('the identifier of the team is whole at every width, and is copied', async () => {
  const { team, user } = await aTeam(app.services)
  const page = await aBrowserPage(app, { as: user, at: `/integrations/${team.id}/team` })
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  const id = page.getByText(team.id, { exact: true })
  for (const width of [1440, 1024, 800, 390]) {
    await page.setViewportSize({ width, height: 800 })
    await id.waitFor()
    expect({ width, hidden: await id.evaluate((text) => text.scrollWidth - text.clientWidth) }).toEqual({ width, hidden: 0 })
    await expectNoSidewaysScrolling(page)
  }
  await page.getByRole('button', { name: 'Copy team ID' }).press('Enter')
  await page.getByText('Copied').waitFor()
  expect(await page.evaluate('navigator.clipboard.readText()')).toBe(team.id)
})
