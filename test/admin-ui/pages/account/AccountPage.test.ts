import { afterAll, expect, test } from 'vitest'
import { openSession } from '../../../../src/domain/access/sessions/openSession.ts'
import { listSessions } from '../../../../src/domain/access/sessions/ownSessions.ts'
import { contextFor } from '../../../../src/domain/context.ts'
import { testApp } from '../../../support/app.ts'
import { aBrowserPage } from '../../../support/browser/browser.ts'
import { expectAccessible, expectNoSidewaysScrolling, screenshot } from '../../../support/browser/browserChecks.ts'
import { aServiceContext, aTeam, aUser } from '../../../support/factories.ts'
import { aMember } from '../../../support/people/sessions.ts'

const app = await testApp({ clock: 'database' })
afterAll(app.close)
const { services } = app
const tool = aServiceContext(services)
const password = 'correct horse battery'
const firefox = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:130.0) Gecko/20100101 Firefox/130.0'

/** A sign-in from another browser. */
async function elsewhere(userId: string): Promise<void> {
  const origin = { address: '203.0.113.7', userAgent: firefox, requestId: null, tool: null }
  await openSession(contextFor(services, { kind: 'system' }, origin), { userId, token: `elsewhere ${userId}` })
}

async function aPersonInATeam() {
  const { team } = await aTeam(services)
  const user = await aUser(services, { password })
  await services.pool.query(`insert into memberships (team_id, user_id, role) values ($1, $2, 'member')`, [team.id, user.id])
  return { team, user, at: `/integrations/${team.id}/account` }
}

test('a person changes their password, which ends their other sessions', async () => {
  const { team, user, at } = await aPersonInATeam()
  await elsewhere(user.id)
  const page = await aBrowserPage(app, { as: user, at: at.replace('account', 'history') })
  await page.getByRole('button', { name: 'Account' }).click()
  await page.getByRole('menuitem', { name: 'Your account' }).click()
  await page.getByRole('heading', { name: 'Account', level: 1 }).waitFor()
  await page.getByText('Firefox on Windows').waitFor()
  await expectAccessible(page)
  await screenshot(page, 'account')
  const save = async (oldPassword: string, newPassword: string) => {
    await page.getByLabel('Old password').fill(oldPassword)
    await page.getByLabel('New password').fill(newPassword)
    await page.getByRole('button', { name: 'Save' }).click()
  }
  await save('a guess', 'another password')
  await page.getByText('The old password is wrong.').waitFor()
  await save(password, 'short')
  await page.getByText('Takes at least 8 characters.').waitFor()
  await save(password, 'another password')
  await page.getByText('The password was changed.').waitFor()
  await page.getByText('Firefox on Windows').waitFor({ state: 'detached' })
  expect(await listSessions(tool, user.id)).toHaveLength(1)
  expect(team.id).not.toBe('')
})

test('a person ends one session, and then all of them', async () => {
  const { user, at } = await aPersonInATeam()
  await elsewhere(user.id)
  const page = await aBrowserPage(app, { as: user, at, viewport: { width: 390, height: 800 } })
  const sessions = page.getByRole('region', { name: 'Sessions' }).first()
  await sessions.getByText('This one').waitFor()
  await expectNoSidewaysScrolling(page)
  await page.getByRole('button', { name: 'Sign out Firefox on Windows' }).click()
  await page.getByText('The session has ended.').waitFor()
  await page.getByRole('button', { name: 'Sign out everywhere' }).click()
  await page.getByRole('dialog', { name: 'Sign out everywhere?' }).getByRole('button', { name: 'Sign out' }).click()
  await page.getByRole('heading', { name: 'Sign in', level: 1 }).waitFor()
  expect(await listSessions(tool, user.id)).toEqual([])
})

test('a chosen time zone applies to all pages, in every browser of the person', async () => {
  const { team } = await aTeam(services)
  const user = await aMember(services, { teamId: team.id, role: 'member' })
  await services.pool.query(`update memberships set created_at = '2026-01-15T20:30:00Z' where user_id = $1`, [user.id])
  const page = await aBrowserPage(app, { as: user, at: `/integrations/${team.id}/account` })
  await page.getByText('This account has no password').waitFor()
  const choice = page.getByRole('combobox', { name: 'Time zone' })
  await choice.click()
  await choice.fill('Tokyo')
  await choice.press('Enter')
  await page.getByText('Times are shown in Asia/Tokyo.').waitFor()
  await page.getByRole('link', { name: 'Team', exact: true }).click()
  await page.getByText('16 Jan', { exact: true }).waitFor()
  const elsewhere = await aBrowserPage(app, { as: user, at: `/integrations/${team.id}/team` })
  await elsewhere.getByText('16 Jan', { exact: true }).waitFor()
  await elsewhere.goto(elsewhere.url().replace(/team$/, 'account'))
  await elsewhere.getByRole('button', { name: 'Use the time zone of the browser' }).press('Enter')
  await elsewhere.getByText('Times are shown in the time zone of the browser.').waitFor()
  await page.reload()
  await page.getByText('15 Jan', { exact: true }).waitFor()
})

test('a person without a team has the page too', async () => {
  const user = await aUser(services)
  const page = await aBrowserPage(app, { as: user, at: '/integrations/personal/account' })
  await page.getByRole('heading', { name: 'Account', level: 1 }).waitFor()
})
