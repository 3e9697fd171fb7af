import type { Page } from 'playwright-core'
import { afterAll, expect, test } from 'vitest'
import { issueKey } from '../../../../src/domain/access/keys/issueKey.ts'
import { setTeamMember } from '../../../../src/domain/access/teams/memberships.ts'
import { grantCredits } from '../../../../src/domain/credits/grantCredits.ts'
import { testApp } from '../../../support/app.ts'
import { aBrowserPage } from '../../../support/browser/browser.ts'
import { expectAccessible, expectNoSidewaysScrolling, screenshot } from '../../../support/browser/browserChecks.ts'
import { aServiceContext, aTeam, aUser } from '../../../support/factories.ts'

const app = await testApp({ clock: 'database' })
afterAll(app.close)
const { services } = app
const tool = aServiceContext(services)

async function aMember(subscriptionActive = true) {
  const { team } = await aTeam(services)
  const member = await aUser(services, { subscriptionActive })
  await setTeamMember(tool, { teamId: team.id, userId: member.id, role: 'member' })
  return { team, member, at: `/integrations/${team.id}/agents` }
}

const dialog = (page: Page) => page.getByRole('dialog')
const row = (page: Page, name: string) => page.getByRole('row').filter({ hasText: name })
const keysOf = async (userId: string) =>
  (
    await services.pool.query(
      'select id, team_id, scopes, prefix, daily_limit, confirm_above, revoked_at from api_keys where user_id = $1',
      [userId],
    )
  ).rows

test('a member issues an agent key, sees it once, and every configuration contains it', async () => {
  const { team, member, at } = await aMember()
  await grantCredits(tool, { userId: member.id, credits: 12.5, note: 'own', idempotencyKey: 'own' })
  const page = await aBrowserPage(app, { as: member, at })
  await page.getByRole('heading', { name: 'Agents', level: 1 }).waitFor()
  const balance = page.getByRole('region', { name: 'Personal balance' })
  await balance.getByText('12.5 credits').waitFor()
  await balance.getByText(`never those of ${team.name}`).waitFor()
  await page.getByText('No agent keys yet').waitFor()
  await expectAccessible(page)
  await expectNoSidewaysScrolling(page)
  await screenshot(page, 'agents-empty')

  await page.getByRole('button', { name: 'Issue agent key' }).click()
  await dialog(page).getByLabel('Name').fill('laptop')
  await dialog(page).getByLabel('Daily ceiling').fill('5')
  await dialog(page).getByLabel('Ask above').fill('1.5')
  await expectAccessible(page)
  await screenshot(page, 'agents-issue')
  await dialog(page).getByRole('button', { name: 'Issue', exact: true }).click()
  const value = await dialog(page).getByLabel('Key', { exact: true }).inputValue()
  expect(value).toMatch(/^atl_[0-9A-Za-z]{49}$/)
  for (const agent of ['Claude Code', 'Claude Desktop', 'Cursor', 'VS Code', 'Codex CLI', 'Other']) {
    await dialog(page).getByRole('tab', { name: agent }).click()
    const shown = await dialog(page).getByRole('tabpanel').innerText()
    expect(shown).toContain(value)
    expect(shown).toContain(`${app.origin}/mcp`)
  }
  await expectAccessible(page)
  await screenshot(page, 'agents-issued')
  await dialog(page).getByRole('button', { name: 'Copy key' }).click()
  await dialog(page).getByRole('button', { name: 'Done' }).click()
  await dialog(page).waitFor({ state: 'detached' })

  expect(await row(page, 'laptop').innerText()).toMatch(new RegExp(`Active[^]*never[^]*${team.name}`))
  expect(await page.content()).not.toContain(value)
  expect(await keysOf(member.id)).toMatchObject([{ team_id: team.id, scopes: ['mcp'], daily_limit: 500, confirm_above: 150 }])
  await screenshot(page, 'agents')
})

test('the holder of an agent key can rotate and revoke it', async () => {
  const { team, member, at } = await aMember()
  const { apiKey } = await issueKey(tool, { teamId: team.id, userId: member.id, name: 'laptop', scopes: ['mcp'] })
  const page = await aBrowserPage(app, { as: member, at })
  await page.getByRole('button', { name: 'Actions for laptop' }).click()
  await page.getByRole('menuitem', { name: 'Rotate' }).click()
  await dialog(page).getByLabel('Overlap').fill('0')
  await expectAccessible(page)
  await dialog(page).getByRole('button', { name: 'Rotate key' }).click()
  const value = await dialog(page).getByLabel('Key', { exact: true }).inputValue()
  expect(await dialog(page).getByRole('tabpanel').innerText()).toContain(value)
  await dialog(page).getByRole('button', { name: 'Copy key' }).click()
  await dialog(page).getByRole('button', { name: 'Done' }).click()
  await row(page, 'laptop').getByText(value.slice(0, 12)).waitFor()
  expect(value.slice(0, 12)).not.toBe(apiKey.prefix)

  await page.getByRole('button', { name: 'Actions for laptop' }).click()
  await page.getByRole('menuitem', { name: 'Revoke' }).click()
  await expectAccessible(page)
  await dialog(page).getByRole('button', { name: 'Revoke key' }).click()
  await row(page, 'laptop').getByText('Revoked').waitFor()
  expect(await keysOf(member.id)).toMatchObject([{ revoked_at: expect.any(Date) }])
})

test('without an active subscription the page says what to do and offers no key', async () => {
  const { member, at } = await aMember(false)
  const page = await aBrowserPage(app, { as: member, at })
  await page.getByText('Your subscription is not active').waitFor()
  await page.getByText('You can issue keys here when your subscription is active').waitFor()
  expect(await page.getByRole('button', { name: /^Issue/ }).count()).toBe(0)
  await expectAccessible(page)
  await screenshot(page, 'agents-no-subscription')
})

test('a person without a team can use agents', async () => {
  const person = await aUser(services, { subscriptionActive: true })
  const page = await aBrowserPage(app, { as: person, at: '/integrations/personal/agents' })
  await page.getByRole('region', { name: 'Personal balance' }).getByText('in your own history').waitFor()
  await page.getByRole('button', { name: 'Issue agent key' }).click()
  await dialog(page).getByLabel('Name').fill('home')
  await dialog(page).getByRole('button', { name: 'Issue', exact: true }).click()
  await dialog(page).getByRole('button', { name: 'Copy key' }).click()
  await dialog(page).getByRole('button', { name: 'Done' }).click()
  await row(page, 'home').getByText('Your own').waitFor()
  expect(await keysOf(person.id)).toMatchObject([{ team_id: null, scopes: ['mcp'] }])
  await expectAccessible(page)
  await screenshot(page, 'agents-personal')

  await page.getByRole('button', { name: 'Actions for home' }).click()
  await page.getByRole('menuitem', { name: 'Rotate' }).click()
  await dialog(page).getByRole('button', { name: 'Rotate key' }).click()
  await dialog(page).getByRole('tab', { name: 'Codex CLI' }).waitFor()
})
