import type { Locator } from 'playwright-core'
import { afterAll, expect, test } from 'vitest'
import { testApp } from '../../../support/app.ts'
import { aBrowserPage } from '../../../support/browser/browser.ts'
import { expectAccessible, screenshot } from '../../../support/browser/browserChecks.ts'
import { aTeam } from '../../../support/factories.ts'

const app = await testApp({ clock: 'database' })
afterAll(app.close)

const edgesOf = (element: Locator) =>
  element.evaluate((shown) => {
    const { top, bottom } = shown.getBoundingClientRect()
    return { top, bottom }
  })

test.each([
  [1440, 900],
  [390, 640],
])(
  'in a window of %i by %i the buttons of a form that is higher stay in sight, and hide no field that has the focus',
  async (width, height) => {
    const { team, user } = await aTeam(app.services)
    const page = await aBrowserPage(app, { as: user, at: `/integrations/${team.id}/keys`, viewport: { width, height } })
    await page.getByRole('button', { name: 'Issue key' }).click()
    const dialog = page.getByRole('dialog', { name: 'Issue key' })
    const issue = dialog.getByRole('button', { name: 'Issue', exact: true })
    await issue.click()
    await dialog.getByText('Choose at least one.').waitFor()
    expect(await dialog.evaluate((content) => content.scrollHeight - content.clientHeight - content.scrollTop)).toBeGreaterThan(20)
    expect((await edgesOf(issue)).bottom).toBeLessThan((await edgesOf(dialog)).bottom - 10)
    await expectAccessible(page)
    await screenshot(page, `form-buttons-${width}`)
    const fields = dialog.getByRole('textbox')
    for (let index = 0; index < (await fields.count()); index += 1) {
      const field = fields.nth(index)
      await field.focus()
      expect((await edgesOf(field)).bottom).toBeLessThan((await edgesOf(issue)).top)
    }
  },
)
