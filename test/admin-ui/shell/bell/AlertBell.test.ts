import { afterAll, expect, test } from 'vitest'
import { updateTeam } from '../../../../src/domain/access/teams/teams.ts'
import { raiseAlerts } from '../../../../src/domain/webhooks/alerts/raiseAlerts.ts'
import { testApp } from '../../../support/app.ts'
import { aBrowserPage } from '../../../support/browser/browser.ts'
import { expectAccessible, expectNoSidewaysScrolling } from '../../../support/browser/browserChecks.ts'
import { aServiceContext, aTeam, aTeamWithKey } from '../../../support/factories.ts'
import { aMember } from '../../../support/people/sessions.ts'

const app = await testApp({ clock: 'database' })
afterAll(app.close)
const { services } = app
const tool = aServiceContext(services)

test('the bell lists alerts without a receiver, counts the unread, and leads to their pages by keyboard', async () => {
  const { team, user, key } = await aTeamWithKey(services, { credits: 5 })
  await services.pool.query(`update api_keys set expires_at = now() + interval '3 days' where id = $1`, [key.id])
  await raiseAlerts(tool)
  await updateTeam(tool, { id: team.id, lowCreditsThreshold: 10 })
  await raiseAlerts(tool)
  const page = await aBrowserPage(app, { as: user, at: `/integrations/${team.id}/team`, viewport: { width: 1440, height: 900 } })
  const bell = page.getByRole('button', { name: 'Alerts, 2 unread' })
  await bell.waitFor()
  await page.getByRole('status').getByText('2 unread alerts: Fewer than 10 credits available').waitFor()
  await bell.focus()
  await page.keyboard.press('Enter')
  const list = page.getByRole('dialog', { name: 'Alerts' })
  const links = list.getByRole('listitem').getByRole('link')
  await links.first().waitFor()
  expect((await links.allTextContents()).map((text) => text.split('just now')[0])).toEqual([
    'Unread: Fewer than 10 credits available',
    expect.stringMatching(/^Unread: test key ends soon: /),
  ])
  await expectAccessible(page)
  await links.nth(1).focus()
  await page.keyboard.press('Enter')
  await page.waitForURL(`**/integrations/${team.id}/keys/${key.id}`)
  await list.waitFor({ state: 'detached' })
  await page.reload()
  await page.getByRole('button', { name: 'Alerts', exact: true }).click()
  await list.getByRole('link', { name: /^test key ends soon/ }).waitFor()
  await page.getByRole('button', { name: 'Alerts', exact: true }).press('Escape')
  await list.waitFor({ state: 'detached' })
})

test('an alert after a restore is unread, although its number was given out before', async () => {
  const { team, user } = await aTeam(services)
  const add = (id: number, threshold: number, raised: string) =>
    services.pool.query(
      `insert into team_alerts (id, team_id, kind, subject_id, threshold, day, raised_at) overriding system value
         values ($1, $2, 'credits.low', $2, $3, current_date, now() - $4::interval)`,
      [id, team.id, threshold, raised],
    )
  await add(9_000_002, 1000, '1 hour')
  const page = await aBrowserPage(app, { as: user, at: `/integrations/${team.id}/team` })
  await page.getByRole('button', { name: 'Alerts, 1 unread' }).click()
  await services.pool.query('delete from team_alerts where team_id = $1', [team.id])
  await add(9_000_001, 2000, '1 minute')
  await page.reload()
  await page.getByRole('button', { name: 'Alerts, 1 unread' }).click()
  await page.getByRole('dialog', { name: 'Alerts' }).getByText('Unread: Fewer than 20 credits available').waitFor()
  await page.reload()
  await page.getByRole('button', { name: 'Alerts', exact: true }).waitFor()
})

test.each([1024, 390])('without alerts it says what would appear, at %d px', async (width) => {
  const { team, user } = await aTeam(services)
  const page = await aBrowserPage(app, { as: user, at: `/integrations/${team.id}/team`, viewport: { width, height: 800 } })
  await page.getByRole('button', { name: 'Alerts', exact: true }).click()
  const list = page.getByRole('dialog', { name: 'Alerts' })
  await list.getByText('No alerts in 30 days').waitFor()
  await expectAccessible(page)
  await expectNoSidewaysScrolling(page)
  await list.getByRole('link', { name: 'Set up alerts' }).click()
  await page.getByRole('heading', { name: 'Webhooks', level: 1 }).waitFor()
})

test('a member has no bell', async () => {
  const { team } = await aTeam(services)
  const member = await aMember(services, { teamId: team.id, role: 'member' })
  const page = await aBrowserPage(app, { as: member, at: `/integrations/${team.id}/history` })
  await page.getByRole('heading', { name: 'History', level: 1 }).waitFor()
  expect(await page.getByRole('button', { name: /^Alerts/ }).count()).toBe(0)
})
