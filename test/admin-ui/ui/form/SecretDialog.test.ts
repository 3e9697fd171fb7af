import type { Locator } from 'playwright-core'
import { afterAll, expect, test } from 'vitest'
import { issueKey } from '../../../../src/domain/access/keys/issueKey.ts'
import { testApp } from '../../../support/app.ts'
import { aBrowserPage, type BrowserPage } from '../../../support/browser/browser.ts'
import { expectAccessible, screenshot } from '../../../support/browser/browserChecks.ts'
import { aServiceContext, aTeam } from '../../../support/factories.ts'

const app = await testApp({ clock: 'database' })
afterAll(app.close)
const { services } = app

test('a shown key holds back Back and reloads until Done', async () => {
  const { team, user } = await aTeam(services)
  const page = await aBrowserPage(app, { as: user, at: `/integrations/${team.id}/usage` })
  await page.getByRole('link', { name: 'API keys' }).click()
  const { dialog } = await issueAKey(page)
  await page.goBack()
  await dialog.getByText('You have not copied it').waitFor()
  await dialog.getByRole('button', { name: 'Stay here' }).click()
  const asked = page.waitForEvent('dialog')
  await page.evaluate(() => setTimeout(() => location.reload()))
  await (await asked).dismiss()
  await dialog.getByRole('button', { name: 'Done' }).click()
  await dialog.waitFor({ state: 'detached' })
  expect(page.url()).toContain('/keys')
})

test('Back closes a form and not its page, and asks first when a field was changed', async () => {
  const { team, user } = await aTeam(services)
  const page = await aBrowserPage(app, { as: user, at: `/integrations/${team.id}/overview` })
  await page.getByRole('navigation').getByRole('link', { name: 'API keys' }).click()
  await page.getByRole('button', { name: 'Issue key' }).first().click()
  const dialog = page.getByRole('dialog', { name: 'Issue key' })
  await dialog.getByLabel('Name', { exact: true }).waitFor()
  await page.goBack()
  await dialog.waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Issue key' }).first().click()
  await dialog.getByLabel('Name', { exact: true }).fill('render-bot')
  await page.goBack()
  const stay = dialog.getByRole('button', { name: 'Stay here' })
  await expect.poll(() => stay.evaluate((button) => button === document.activeElement)).toBe(true)
  await stay.click()
  expect(await dialog.getByLabel('Name', { exact: true }).inputValue()).toBe('render-bot')
  await page.goBack()
  await expectAccessible(page)
  await screenshot(page, 'keys-unfinished')
  await dialog.getByRole('button', { name: 'Discard' }).click()
  await dialog.waitFor({ state: 'detached' })
  await issueKey(aServiceContext(services), { teamId: team.id, userId: user.id, name: 'kept', scopes: ['catalog:read'] })
  await page.reload()
  await page.getByRole('button', { name: 'Actions for kept' }).click()
  await page.getByRole('menuitem', { name: 'Edit' }).click()
  const edit = page.getByRole('dialog', { name: 'Edit key' })
  await edit.getByLabel('Name', { exact: true }).fill('renamed')
  await page.goBack()
  await edit.getByRole('button', { name: 'Discard' }).click()
  await edit.waitFor({ state: 'detached' })
  expect(new URL(page.url()).pathname).toBe(`/integrations/${team.id}/keys`)
})

test('a preset counts as a change of a form, and Escape and a click outside ask before a changed form is lost', async () => {
  const { team, user } = await aTeam(services)
  const page = await aBrowserPage(app, { as: user, at: `/integrations/${team.id}/overview` })
  await page.getByRole('navigation').getByRole('link', { name: 'API keys' }).click()
  const opener = page.getByRole('button', { name: 'Issue key' }).first()
  const dialog = page.getByRole('dialog', { name: 'Issue key' })
  const leaves = [() => page.goBack(), () => page.keyboard.press('Escape'), () => page.mouse.click(5, 5)]
  for (const [preset, leave] of [
    ['Run models', leaves[0]],
    ['90 days', leaves[1]],
    ['Read only', leaves[2]],
  ] as const) {
    await opener.click()
    await dialog.getByRole('button', { name: preset }).click()
    await leave?.()
    await dialog.getByRole('button', { name: 'Stay here' }).click()
    await dialog.getByText('This form is not finished').waitFor({ state: 'detached' })
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await dialog.waitFor({ state: 'detached' })
    await opener.click()
    await dialog.getByLabel('Name', { exact: true }).waitFor()
    await leave?.()
    await dialog.waitFor({ state: 'detached' })
  }
  await expect.poll(() => opener.evaluate((button) => button === document.activeElement)).toBe(true)
})

test('Escape withdraws the question about a secret that was not copied, and only Close without copying closes the dialog', async () => {
  const { team, user } = await aTeam(services)
  const page = await aBrowserPage(app, { as: user, at: `/integrations/${team.id}/overview` })
  await page.getByRole('navigation').getByRole('link', { name: 'API keys' }).click()
  const { dialog, secret } = await issueAKey(page)
  const value = await secret.inputValue()
  const question = dialog.getByText('You have not copied it')
  const leaves = [
    () => page.keyboard.press('Escape'),
    () => page.goBack(),
    () => dialog.getByRole('button', { name: 'Close', exact: true }).click(),
  ]
  for (const leave of leaves) {
    await leave()
    await question.waitFor()
    await expect.poll(() => isFocused(dialog.getByRole('button', { name: 'Stay here' }))).toBe(true)
    await page.keyboard.press('Escape')
    await question.waitFor({ state: 'detached' })
    expect(await secret.inputValue()).toBe(value)
  }
  expect(new URL(page.url()).pathname).toBe(`/integrations/${team.id}/keys`)
  await page.keyboard.press('Escape')
  await expectAccessible(page)
  await screenshot(page, 'keys-not-copied')
  await dialog.getByRole('button', { name: 'Close without copying' }).click()
  await dialog.waitFor({ state: 'detached' })
})

test('Escape withdraws the question about an unfinished form, and the focus returns to the field', async () => {
  const { team, user } = await aTeam(services)
  const page = await aBrowserPage(app, { as: user, at: `/integrations/${team.id}/webhooks` })
  await page.getByRole('button', { name: 'Add webhook' }).first().click()
  const field = page.getByRole('dialog').getByLabel('Address')
  await field.fill('https://example.com')
  for (const leave of [
    () => page.keyboard.press('Escape'),
    () => page.getByRole('dialog').getByRole('button', { name: 'Close' }).click(),
  ]) {
    await field.focus()
    await leave()
    await page.getByText('This form is not finished').waitFor()
    await page.keyboard.press('Escape')
    await page.getByText('This form is not finished').waitFor({ state: 'detached' })
    expect(await field.inputValue()).toBe('https://example.com')
  }
  await field.focus()
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Stay here' }).click()
  expect(await isFocused(field)).toBe(true)
})

const isFocused = (element: Locator) => element.evaluate((each) => each === document.activeElement)

async function issueAKey(page: BrowserPage) {
  await page.getByRole('button', { name: 'Issue key' }).first().click()
  const dialog = page.getByRole('dialog', { name: 'Issue key' })
  await dialog.getByRole('textbox', { name: 'Name' }).fill('shown once')
  await dialog.getByRole('checkbox', { name: 'catalog:read' }).check()
  await dialog.getByRole('button', { name: 'Issue', exact: true }).click()
  const secret = dialog.getByRole('textbox', { name: 'Key' })
  await secret.waitFor()
  return { dialog, secret }
}
