import type { Page } from 'playwright-core'
import { afterAll, expect, test } from 'vitest'
import { issueKey } from '../../../../src/domain/access/keys/issueKey.ts'
import { updateKey } from '../../../../src/domain/access/keys/updateKey.ts'
import { setTeamMember } from '../../../../src/domain/access/teams/memberships.ts'
import type { Scope } from '../../../../src/entities/ApiKey.ts'
import { testApp } from '../../../support/app.ts'
import { aBrowserPage } from '../../../support/browser/browser.ts'
import { expectAccessible, screenshot } from '../../../support/browser/browserChecks.ts'
import { aServiceContext, aTeam, aTeamWithKey, aUser, restScopes } from '../../../support/factories.ts'
import { anEnding, loopback } from '../../../support/webhooks/webhooks.ts'

const app = await testApp({ clock: 'database', settings: loopback })
afterAll(app.close)
const { services } = app
const tool = aServiceContext(services)

async function act(page: Page, name: string, action: string) {
  await page.getByRole('button', { name: `Actions for ${name}`, exact: true }).click()
  await page.getByRole('menuitem', { name: action }).click()
  return page.getByRole('dialog')
}

/** For slow test machines. */
const patiently = { timeout: 10_000 }
const isOpen = async (key: string) => (await app.ask('GET /account', { key })).status === 200

test('a team without keys sees what a key is, and a button to issue the first one', async () => {
  const { team, user } = await aTeam(services)
  const page = await aBrowserPage(app, { as: user, at: `/integrations/${team.id}/keys` })
  await page.getByRole('heading', { name: 'No keys yet' }).waitFor()
  await expectAccessible(page)
  await screenshot(page, 'keys-empty')
  await page.getByRole('button', { name: 'Issue your first key' }).click()
  await page.getByRole('dialog', { name: 'Issue key' }).getByLabel('Name', { exact: true }).waitFor()
})

test('an edit sends only the changed fields, and keeps concurrent changes of others', async () => {
  const { team, user, key } = await aTeamWithKey(services, { dailyLimitCredits: 10 })
  const page = await aBrowserPage(app, { as: user, at: `/integrations/${team.id}/keys` })
  const dialog = await act(page, key.name, 'Edit')
  await dialog.getByLabel('Daily ceiling', { exact: true }).waitFor()
  await expectAccessible(page)
  await screenshot(page, 'keys-edit')
  await updateKey(tool, { id: key.id, dailyLimitCredits: 77 })
  await dialog.getByLabel('Name', { exact: true }).fill('renamed')
  await dialog.getByLabel('Single ceiling', { exact: true }).fill('2.5')
  await dialog.getByRole('button', { name: '90 days' }).click()
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.waitFor({ state: 'detached' })
  const row = page.getByRole('row', { name: 'renamed' })
  await row.getByText('77 credits a day, 2.5 credits at most').waitFor()
  const opener = page.getByRole('button', { name: 'Actions for renamed' })
  await expect.poll(() => opener.evaluate((element) => element === document.activeElement), patiently).toBe(true)

  const again = await act(page, 'renamed', 'Edit')
  await again.getByLabel('Expires', { exact: true }).fill('2020-01-01')
  await again.getByRole('button', { name: 'Save' }).click()
  await again.getByText('This time is in the past.').waitFor()
  await again.getByLabel('Expires', { exact: true }).fill('')
  await again.getByLabel('Daily ceiling', { exact: true }).fill('')
  await again.getByRole('button', { name: 'Save' }).click()
  await again.waitFor({ state: 'detached' })
  await row.getByText('without a daily ceiling, 2.5 credits at most').waitFor()
  const { rows } = await services.pool.query('select daily_limit, expires_at from api_keys where id = $1', [key.id])
  expect(rows).toEqual([{ daily_limit: null, expires_at: null }])
})

test('a rotation shows the new value once, and the old one works only during the overlap', async () => {
  const { team, user, key, value: old } = await aTeamWithKey(services)
  const page = await aBrowserPage(app, { as: user, at: `/integrations/${team.id}/keys` })
  const rotate = async (overlap: string) => {
    const dialog = await act(page, key.name, 'Rotate')
    await dialog.getByLabel('Overlap', { exact: true }).fill(overlap)
    await dialog.getByRole('button', { name: 'Rotate key' }).click()
    return dialog
  }
  const dialog = await rotate('169')
  await dialog.getByText('Takes whole hours, 0 to 168.').waitFor()
  await expectAccessible(page)
  await screenshot(page, 'keys-rotate')
  await dialog.getByRole('button', { name: '1 day' }).click()
  await dialog.getByRole('button', { name: 'Rotate key' }).click()
  const value = await dialog.getByLabel('Key', { exact: true }).inputValue()
  expect([await isOpen(old), await isOpen(value)]).toEqual([true, true])
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Done' }).click()
  await dialog.waitFor({ state: 'detached' })
  await page.getByText(`${old.slice(0, 12)}… until`).waitFor()

  const second = await act(page, key.name, 'Rotate')
  await second.getByText('It stops at once if you rotate now.').waitFor()
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await second.waitFor({ state: 'detached' })
  const third = await rotate('0')
  const last = await third.getByLabel('Key', { exact: true }).inputValue()
  expect([await isOpen(old), await isOpen(value), await isOpen(last)]).toEqual([false, false, true])
})

test('an administrator sees why they cannot rotate a key that spends another person’s credits', async () => {
  const { team, user } = await aTeamWithKey(services, { scopes: [...restScopes, 'mcp'] })
  const admin = await aUser(services)
  await setTeamMember(tool, { teamId: team.id, userId: admin.id, role: 'admin' })
  const page = await aBrowserPage(app, { as: admin, at: `/integrations/${team.id}/keys` })
  const dialog = await act(page, 'test key', 'Rotate')
  await dialog.getByText(`Only ${user.name} can rotate this key`).waitFor()
  await expectAccessible(page)
  await screenshot(page, 'keys-rotate-refused')
})

test('the revoke dialog shows what continues and what stops; the key stops at once', async () => {
  const made = await aTeamWithKey(services)
  const start = () => app.ask('POST /generations', { key: made.value, body: { familyId: 'sandbox-image', prompt: 'a boat' } })
  await Promise.all([start(), start()])
  for (const id of [await anEnding(made, 'ready'), await anEnding(made, 'ready')])
    await app.ask(`GET /generations/${id}`, { key: made.value })
  const links = () => services.pool.query('select from result_links where key_id = $1', [made.key.id])
  await expect.poll(async () => (await links()).rowCount, patiently).toBe(2)
  const page = await aBrowserPage(app, { as: made.user, at: `/integrations/${made.team.id}/keys` })
  const dialog = await act(page, 'test key', 'Revoke')
  await dialog.getByText('2 generations are running. They finish and are charged.').waitFor()
  await dialog.getByText('2 links to results stop working at once.').waitFor()
  await expectAccessible(page)
  await screenshot(page, 'keys-revoke')
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await dialog.waitFor({ state: 'detached' })
  expect(await isOpen(made.value)).toBe(true)

  await act(page, 'test key', 'Revoke')
  await dialog.getByRole('button', { name: 'Revoke key' }).click()
  await dialog.waitFor({ state: 'detached' })
  await page.getByRole('row', { name: 'test key' }).getByText('Revoked').waitFor()
  expect(await isOpen(made.value)).toBe(false)
})

test('search and state narrow the list and are in the URL, never with a complete key', async () => {
  const { team, user } = await aTeam(services)
  const key = (name: string, scopes: Scope[] = ['catalog:read']) => issueKey(tool, { teamId: team.id, userId: user.id, name, scopes })
  const { value } = await key('first')
  await key('second')
  const page = await aBrowserPage(app, { as: user, at: `/integrations/${team.id}/keys?search=SEC` })
  const names = () =>
    page
      .getByRole('row')
      .getByRole('button')
      .evaluateAll((buttons) => buttons.map((button) => button.ariaLabel))
  await page.getByRole('row', { name: 'second' }).waitFor()
  expect(await names()).toEqual(['Actions for second'])
  await page.getByLabel('Search keys').fill(value)
  await expect.poll(names, patiently).toEqual(['Actions for first'])
  expect(page.url()).toContain(`search=${value.slice(0, 12)}`)
  expect(page.url()).not.toContain(value.slice(0, 13))
  await page.getByRole('button', { name: 'Clear filters' }).click()
  await expect.poll(names, patiently).toEqual(['Actions for second', 'Actions for first'])
  await page.getByRole('combobox', { name: 'State' }).click()
  await page.getByRole('option', { name: 'Revoked' }).click()
  await page.getByText('No matching key').waitFor()
  await expectAccessible(page)
  expect(new URL(page.url()).search).toBe('?state=REVOKED')
})

test('a team with 10,000 keys is loaded page by page', async () => {
  const { team, user } = await aTeam(services)
  await services.pool.query(
    `insert into api_keys (id, team_id, user_id, name, scopes, prefix, hash)
       select 'key_' || lpad(n::text, 26, '0'), $1, $2, 'bot ' || n, '{catalog:read}', 'atl_00000000', sha256(($1 || n)::bytea) from generate_series(1, 10000) n`,
    [team.id, user.id],
  )
  const page = await aBrowserPage(app, { as: user, at: `/integrations/${team.id}/keys` })
  await page.getByRole('button', { name: 'Actions for bot 9951', exact: true }).waitFor()
  await page.getByRole('button', { name: 'Load more' }).click()
  const last = page.getByRole('row').filter({ has: page.getByRole('button', { name: 'Actions for bot 9901', exact: true }) })
  await last.waitFor()
  await services.pool.query(`update api_keys set revoked_at = now() where name = 'bot 9901'`)
  await page.evaluate(`document.dispatchEvent(new Event('visibilitychange'))`)
  await last.getByText('Revoked').waitFor()
  await page.route('**/graphql', (route) => {
    const { variables } = JSON.parse(route.request().postData() ?? '{}') as { variables?: { after?: string } }
    return variables?.after ? route.abort() : route.continue()
  })
  await page.evaluate(`document.dispatchEvent(new Event('visibilitychange'))`)
  await page.getByText('Keys could not be loaded').waitFor()
  await last.waitFor()
  await page.unroute('**/graphql')
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.getByText('Keys could not be loaded').waitFor({ state: 'detached' })
  await last.waitFor()
  await page.getByLabel('Search keys').fill('bot 17')
  await page.getByRole('button', { name: 'Actions for bot 17', exact: true }).waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Actions for bot 1799', exact: true }).waitFor()
})

test('a preset replaces the chosen scopes by those that belong together', async () => {
  const { team, user } = await aTeam(services)
  const page = await aBrowserPage(app, { as: user, at: `/integrations/${team.id}/keys` })
  await page.getByRole('button', { name: 'Issue key' }).click()
  const dialog = page.getByRole('dialog', { name: 'Issue key' })
  await dialog.getByRole('checkbox', { name: 'keys:write' }).check()
  const chosen = () => dialog.getByRole('checkbox', { checked: true }).evaluateAll((boxes) => boxes.map((box) => box.getAttribute('value')))
  await dialog.getByRole('button', { name: 'Run models' }).click()
  expect(await chosen()).toEqual(['CATALOG_READ', 'GENERATIONS_READ', 'GENERATIONS_WRITE', 'FILES_WRITE'])
  await dialog.getByRole('button', { name: 'Read only' }).click()
  expect(await chosen()).toEqual(['CATALOG_READ', 'GENERATIONS_READ', 'ACCOUNT_READ'])
})
