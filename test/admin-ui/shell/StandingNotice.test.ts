import type { Page } from 'playwright-core'
import { afterAll, expect, test } from 'vitest'
import { updateTeam } from '../../../src/domain/access/teams/teams.ts'
import { testApp } from '../../support/app.ts'
import { aBrowserPage } from '../../support/browser/browser.ts'
import { expectAccessible, expectNoSidewaysScrolling, screenshot } from '../../support/browser/browserChecks.ts'
import { aServiceContext, aTeam } from '../../support/factories.ts'
import { aMember } from '../../support/people/sessions.ts'

const app = await testApp({ clock: 'database' })
afterAll(app.close)
const { services } = app
const tool = aServiceContext(services)
const inDays = (days: number) => new Date(Date.now() + days * 86_400_000)
const notices = (page: Page) => page.getByRole('region', { name: 'Notices' })

/** The notices of a page, once its heading is there. */
async function open(page: Page, name: string) {
  if ((page.viewportSize()?.width ?? 0) < 992) await page.getByRole('button', { name: 'Open navigation' }).click()
  await page.getByRole('link', { name, exact: true }).click()
  await page.getByRole('heading', { name, level: 1 }).waitFor()
}

test('low credits and an ending plan are above every page, until they are hidden', async () => {
  const { team, user } = await aTeam(services)
  await updateTeam(tool, { id: team.id, planExpiresAt: inDays(5), lowCreditsThreshold: 5000 })
  const page = await aBrowserPage(app, { as: user, at: `/integrations/${team.id}/playground` })
  await notices(page).getByText('Only 1,000 credits left').waitFor()
  await notices(page).getByText('The plan ends soon').waitFor()
  await expectAccessible(page)
  await screenshot(page, 'notices')
  await page.emulateMedia({ colorScheme: 'dark' })
  const ground = await notices(page)
    .getByRole('note')
    .first()
    .evaluate((notice) => getComputedStyle(notice).backgroundColor)
  // The parts of the colour differ little: a tint, and no block of colour.
  const parts = (ground.match(/0\.\d+/g) ?? []).map(Number)
  expect(Math.max(...parts) - Math.min(...parts)).toBeLessThan(0.15)
  await page.emulateMedia({ colorScheme: 'light' })
  for (const width of [1440, 1024, 390]) {
    await page.setViewportSize({ width, height: 800 })
    await expectNoSidewaysScrolling(page)
  }
  await page.setViewportSize({ width: 1280, height: 800 })
  await open(page, 'API keys')
  await page.getByRole('button', { name: 'Hide: Only 1,000 credits left' }).press('Enter')
  await notices(page).getByText('Only 1,000 credits left').waitFor({ state: 'detached' })
  await page.reload()
  await notices(page).getByText('The plan ends soon').waitFor()
  expect(await notices(page).getByText('Only 1,000 credits left').count()).toBe(0)
  await open(page, 'Overview')
  await page.getByRole('region', { name: 'Needs attention' }).getByText('Only 1,000 credits left').waitFor()
  expect(await notices(page).count()).toBe(0)
})

test('members see the notice too, and what stops work cannot be hidden', async () => {
  const { team } = await aTeam(services)
  const member = await aMember(services, { teamId: team.id, role: 'member' })
  await updateTeam(tool, { id: team.id, planExpiresAt: inDays(-1) })
  const page = await aBrowserPage(app, { as: member, at: `/integrations/${team.id}/history`, viewport: { width: 390, height: 800 } })
  await notices(page).getByText('The plan has ended').waitFor()
  expect(await notices(page).getByRole('button').count()).toBe(0)
  await expectAccessible(page)
  await screenshot(page, 'notice-ended')
  await open(page, 'Usage')
  await notices(page).getByText('The plan has ended').waitFor()
})

test('what stops work is first in the one box of the notices', async () => {
  const { team, user } = await aTeam(services, { credits: 0 })
  await updateTeam(tool, { id: team.id, planExpiresAt: inDays(5) })
  const page = await aBrowserPage(app, { as: user, at: `/integrations/${team.id}/keys` })
  await notices(page).getByText('The plan ends soon').waitFor()
  const [first, second] = await notices(page).getByRole('note').all()
  expect([await first?.textContent(), await second?.textContent()].map((text) => text?.slice(0, 12))).toEqual([
    'No credits a',
    'The plan end',
  ])
  const [above, below] = [await first?.boundingBox(), await second?.boundingBox()]
  expect((above?.y ?? 0) + (above?.height ?? 0)).toBeCloseTo(below?.y ?? 0, 0)
  await expectAccessible(page)
  await screenshot(page, 'notices-two')
})

test('a team without a warning has no notice', async () => {
  const { team, user } = await aTeam(services)
  await updateTeam(tool, { id: team.id, planExpiresAt: inDays(60), lowCreditsThreshold: 1000 })
  const page = await aBrowserPage(app, { as: user })
  const answered = page.waitForResponse((response) => response.request().postData()?.includes('query StandingNotice') === true)
  await page.goto(`/integrations/${team.id}/keys`)
  await answered
  await page.getByRole('heading', { name: 'API keys', level: 1 }).waitFor()
  expect(await notices(page).count()).toBe(0)
})
