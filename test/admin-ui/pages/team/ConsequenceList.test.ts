import { afterAll, expect, test } from 'vitest'
import { issueKey } from '../../../../src/domain/access/keys/issueKey.ts'
import { rotateKey } from '../../../../src/domain/access/keys/rotateKey.ts'
import { setTeamMember } from '../../../../src/domain/access/teams/memberships.ts'
import { createSubscription } from '../../../../src/domain/webhooks/subscriptions/createSubscription.ts'
import { testApp } from '../../../support/app.ts'
import { expectAccessible, expectNoSidewaysScrolling, screenshot } from '../../../support/browser/browserChecks.ts'
import { aFullTeam, chooseRole, confirmDialog, dialog, openTeamPage } from '../../../support/browser/teamPage.ts'
import { aServiceContext } from '../../../support/factories.ts'
import { aPersonContext } from '../../../support/people/sessions.ts'
import { loopback } from '../../../support/webhooks/webhooks.ts'

const app = await testApp({ clock: 'database', settings: loopback })
afterAll(app.close)
const { services } = app
const tool = aServiceContext(services)

/** Keys of the owner that the administrator rotated, and webhooks that they added. */
async function shownTo(
  admin: { id: string },
  { team, owner }: { team: { id: string }; owner: { id: string } },
  keys: string[],
  hooks: string[],
) {
  const person = aPersonContext(services, { userId: admin.id })
  for (const name of keys) {
    const { apiKey } = await issueKey(tool, { teamId: team.id, userId: owner.id, name, scopes: ['generations:write'] })
    await rotateKey(person, { id: apiKey.id })
  }
  for (const address of hooks) await createSubscription(person, { teamId: team.id, address, events: ['generation.failed'] })
}

test('the dialog of a role change names keys of others that stop, and webhooks with a shown secret', async () => {
  const { team, owner, admin } = await aFullTeam(services)
  const [hook, other] = ['http://127.0.0.1:9/orders', `http://127.0.0.1:9/${'long'.repeat(40)}`]
  await shownTo(admin, { team, owner }, ['website', 'nightly-batch'], [hook, other])
  const page = await openTeamPage(app, team.id, owner)
  await chooseRole(page, admin, 'Member')
  const lowering = dialog(page, `Make ${admin.name} a member?`)
  await lowering.getByText('The 2 keys that they issued for the team stop working at once.').waitFor()
  await lowering.getByText('Their value of these keys stops working at once.').waitFor()
  for (const name of ['website', 'nightly-batch', hook, other])
    await lowering.getByRole('listitem').getByText(name, { exact: true }).waitFor()
  await lowering.getByText('They will still have the signing secrets of these webhooks. Rotate them:').waitFor()
  await page.getByRole('button', { name: 'Cancel' }).click()
  await lowering.waitFor({ state: 'detached' })

  await page.getByRole('button', { name: `Actions for ${admin.name}` }).click()
  await page.getByRole('menuitem', { name: 'Remove from team' }).click()
  const removing = dialog(page, `Remove ${admin.name}?`)
  await removing.getByRole('listitem').getByText('website', { exact: true }).waitFor()
  await expectAccessible(page)
  await expectNoSidewaysScrolling(page)
  await screenshot(page, 'team-remove-shown')
  await confirmDialog(page, `Remove ${admin.name}?`, 'Remove from team')
})

test('for a former administrator only the webhooks are named', async () => {
  const { team, owner, join } = await aFullTeam(services)
  const admin = await join('admin')
  await shownTo(admin, { team, owner }, ['website'], ['http://127.0.0.1:9/orders'])
  await setTeamMember(tool, { teamId: team.id, userId: admin.id, role: 'member' })
  const page = await openTeamPage(app, team.id, owner)
  await page.getByRole('button', { name: `Actions for ${admin.name}` }).click()
  await page.getByRole('menuitem', { name: 'Remove from team' }).click()
  const removing = dialog(page, `Remove ${admin.name}?`)
  await removing.getByText('They will still have the signing secret of this webhook. Rotate it:').waitFor()
  expect(await removing.getByText('website').count()).toBe(0)
  expect(await removing.getByText('stops working').count()).toBe(0)
})

test('of many keys ten are named and the rest is counted', async () => {
  const { team, owner, admin } = await aFullTeam(services)
  await shownTo(
    admin,
    { team, owner },
    Array.from({ length: 12 }, (_, index) => `batch ${index}`),
    [],
  )
  const page = await openTeamPage(app, team.id, owner)
  await chooseRole(page, admin, 'Member')
  const lowering = dialog(page, `Make ${admin.name} a member?`)
  await lowering.getByText('2 more', { exact: true }).waitFor()
  expect(await lowering.getByRole('listitem').count()).toBe(11)
})
