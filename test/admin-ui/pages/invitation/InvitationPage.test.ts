import { randomUUID } from 'node:crypto'
import { afterAll, expect, test } from 'vitest'
import { inviteMember } from '../../../../src/domain/access/invitations/inviteMember.ts'
import { rolesOf } from '../../../../src/domain/access/teams/rolesOf.ts'
import { testApp } from '../../../support/app.ts'
import { aBrowserPage } from '../../../support/browser/browser.ts'
import { expectAccessible, expectNoSidewaysScrolling, screenshot } from '../../../support/browser/browserChecks.ts'
import { aServiceContext, aTeam, aUser } from '../../../support/factories.ts'

const app = await testApp({ clock: 'database' })
afterAll(app.close)
const { services } = app
const tool = aServiceContext(services)
const password = 'correct horse battery'

async function anInvitation(email = `${randomUUID()}@example.test`) {
  const { team, user } = await aTeam(services)
  const { url } = await inviteMember({ ...tool, actor: { kind: 'person', userId: user.id } }, { teamId: team.id, email, role: 'admin' })
  return { team, owner: user, email, link: url ?? '', at: `/integrations/invitation#${url?.split('#')[1]}` }
}

test('a newcomer sets a name and a password and is in the team', async () => {
  const { team, owner, email, link } = await anInvitation()
  const page = await aBrowserPage(app, { at: new URL(link).pathname + new URL(link).hash })
  await page.getByRole('heading', { name: 'Invitation', level: 1 }).waitFor()
  await page.getByText(`${owner.name} invites you`).waitFor()
  await page.getByText(email).waitFor()
  expect(page.url()).not.toContain('#')
  await expectAccessible(page)
  await screenshot(page, 'invitation')
  await page.getByLabel('Name').fill('Grace')
  await page.getByLabel('Password', { exact: true }).fill('short')
  await page.getByRole('button', { name: 'Accept' }).click()
  await page.getByText('Takes at least 8 characters.').waitFor()
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Accept' }).click()
  await page.waitForURL(`**/integrations/${team.id}/**`)
  await page.getByRole('navigation', { name: 'Team' }).waitFor()
})

test('a person with an account signs in first, on the way back to the invitation', async () => {
  const user = await aUser(services, { password })
  const { team, at } = await anInvitation(user.email)
  const page = await aBrowserPage(app, { at })
  await page.getByRole('link', { name: 'Sign in' }).click()
  await page.getByLabel('E-mail').fill(user.email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.waitForURL('**/integrations/invitation')
  await page.getByRole('button', { name: 'Accept' }).click()
  await page.waitForURL(`**/integrations/${team.id}/**`)
  expect((await rolesOf(tool, user.id)).get(team.id)).toBe('admin')
})

test('somebody else is asked to sign out, and the link stays open', async () => {
  const { at, email } = await anInvitation()
  const other = await aUser(services)
  const page = await aBrowserPage(app, { as: other, at, viewport: { width: 390, height: 800 } })
  await page.getByText(`This browser is signed in as ${other.email}.`).waitFor()
  await expectAccessible(page)
  await expectNoSidewaysScrolling(page)
  await page.getByRole('button', { name: 'Sign out' }).click()
  await page.getByLabel('Name').waitFor()
  await page.getByText(email).waitFor()
})

test.each(['#ati_unknown', ''])('the link %j that does not work says what to do', async (hash) => {
  const page = await aBrowserPage(app, { at: `/integrations/invitation${hash}` })
  await page.getByText('Ask the person who invited you for a new one.').waitFor()
  await expectAccessible(page)
})
