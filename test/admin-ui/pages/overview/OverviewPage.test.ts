import { afterAll, expect, test } from 'vitest'
import { updateTeam } from '../../../../src/domain/access/teams/teams.ts'
import { testApp } from '../../../support/app.ts'
import { aBrowserPage } from '../../../support/browser/browser.ts'
import { expectAccessible, expectNoSidewaysScrolling, screenshot } from '../../../support/browser/browserChecks.ts'
import { aServiceContext, aTeam, aTeamWithKey } from '../../../support/factories.ts'
import { aStart } from '../../../support/generations/retention.ts'
import { aMember } from '../../../support/people/sessions.ts'
import { anEnding } from '../../../support/webhooks/webhooks.ts'

const app = await testApp({ clock: 'database' })
afterAll(app.close)
const { services } = app
const tool = aServiceContext(services)

test('an empty team sees three first steps, which tick themselves off', async () => {
  const { team, user } = await aTeam(services)
  const page = await aBrowserPage(app, { as: user, at: '/integrations' })
  await page.waitForURL(`**/integrations/${team.id}/overview`)
  await page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor()
  const steps = page.getByRole('region', { name: 'First steps' })
  await steps.waitFor()
  expect(await steps.getByRole('link').allTextContents()).toEqual([
    'Issue a key for your program',
    'Run a model',
    'Add a webhook, instead of polling',
  ])
  await page.getByText('Nothing: no webhook fails').waitFor()
  expect(await page.getByRole('region', { name: 'Active work' }).count()).toBe(0)
  await expectAccessible(page)
  await screenshot(page, 'overview-empty')
  await steps.getByRole('link', { name: 'Issue a key for your program' }).click()
  await page.getByRole('button', { name: 'Issue key' }).waitFor()
})

test('a new team sees its work while its first generation has not ended', async () => {
  const own = await aTeamWithKey(services, { credits: 20 })
  await aStart(own)
  const page = await aBrowserPage(app, { as: own.user, at: `/integrations/${own.team.id}/overview` })
  await page.getByRole('region', { name: 'Active work' }).getByText('1 waiting').waitFor()
})

test('a working team sees its spend, its last media, and what needs attention', async () => {
  const own = await aTeamWithKey(services, { credits: 20, dailyLimitCredits: 10 })
  for (let nth = 0; nth < 5; nth++) await anEnding(own, nth === 4 ? 'failed' : 'ready')
  await services.pool.query(`update api_keys set expires_at = now() + interval '3 days' where id = $1`, [own.key.id])
  await updateTeam(tool, { id: own.team.id, planExpiresAt: new Date(Date.now() + 5 * 86_400_000), lowCreditsThreshold: 100 })
  const page = await aBrowserPage(app, { as: own.user, at: `/integrations/${own.team.id}/overview` })
  await page.getByRole('region', { name: 'Credits' }).getByText('available').waitFor()
  await page.getByText('The plan ends soon').waitFor()
  await page.getByText(/^Only .* left/).waitFor()
  await page.getByText('test key ends soon').waitFor()
  // The failed one has no media.
  expect(await page.getByRole('region', { name: 'Latest media' }).getByRole('listitem').count()).toBe(4)
  await expectAccessible(page)
  await screenshot(page, 'overview')
  await page.getByRole('link', { name: 'Open: test key ends soon' }).click()
  await page.getByRole('heading', { name: 'test key', level: 1 }).waitFor()
})

test('a member sees neither keys nor webhooks nor first steps, also on a phone', async () => {
  const { team } = await aTeam(services)
  const member = await aMember(services, { teamId: team.id, role: 'member' })
  const page = await aBrowserPage(app, { as: member, at: `/integrations/${team.id}/overview`, viewport: { width: 390, height: 800 } })
  await page.getByText('No media yet.').waitFor()
  await page.getByText('Nothing: credits are available, and the plan does not end soon.').waitFor()
  expect(await page.getByRole('region', { name: 'First steps' }).count()).toBe(0)
  await expectNoSidewaysScrolling(page)
  await expectAccessible(page)
})
