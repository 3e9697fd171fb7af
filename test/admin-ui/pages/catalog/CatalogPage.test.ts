import { afterAll, expect, test, vi } from 'vitest'
import { setTeamFamilyAvailability } from '../../../../src/domain/access/availability/setTeamFamilyAvailability.ts'
import { issueKey } from '../../../../src/domain/access/keys/issueKey.ts'
import { setTeamMember } from '../../../../src/domain/access/teams/memberships.ts'
import { contextFor } from '../../../../src/domain/context.ts'
import { testApp } from '../../../support/app.ts'
import { aBrowserPage } from '../../../support/browser/browser.ts'
import { expectAccessible, expectNoSidewaysScrolling, screenshot } from '../../../support/browser/browserChecks.ts'
import { aServiceContext, aTeam, aTeamWithKey, aUser } from '../../../support/factories.ts'

const app = await testApp({ clock: 'database' })
afterAll(app.close)
const { services } = app
const tool = aServiceContext(services)

const catalogOf = (team: { id: string }, filters = '') => `/integrations/${team.id}/catalog${filters}`

test('the families are listed with their output, price and lock reason', async () => {
  const { team, user } = await aTeam(services)
  const page = await aBrowserPage(app, { as: user, at: catalogOf(team) })
  await page.getByRole('heading', { name: 'Catalog', level: 1 }).waitFor()
  const row = (name: string) => page.getByRole('row').filter({ hasText: name })
  expect(await row('Sandbox Image').innerText()).toMatch(/Image[^]*Text to image, Image to image[^]*1 credit[^]*Available/)
  expect(await row('sandbox-audio').innerText()).toMatch(/Audio[^]*0\.5 credits/)
  expect(await row('sandbox-locked').innerText()).toMatch(/Needs a subscription[^]*Your subscription is not active/)
  expect(await row('sandbox-offline').innerText()).toMatch(/Unavailable for now[^]*Try again later/)
  await expectAccessible(page)
  await expectNoSidewaysScrolling(page)
  await screenshot(page, 'catalog')
})

test('search and filters narrow the list and are in the URL', async () => {
  const { team, user } = await aTeam(services)
  const page = await aBrowserPage(app, { as: user, at: catalogOf(team, '?makes=VIDEO') })
  const families = () => page.getByRole('table', { name: 'Families' }).getByRole('link').allInnerTexts()
  const shown = (...names: string[]) =>
    vi.waitFor(async () => expect(await families()).toEqual(names.map((name) => expect.stringContaining(name))), {
      timeout: 5000,
      interval: 20,
    })
  await shown('Sandbox Clip', 'Sandbox Video')

  await page.getByRole('button', { name: 'Clear filters' }).click()
  await page.getByLabel('Search families').fill('clip FRAME')
  await page.waitForURL('**/catalog?search=clip+FRAME')
  await shown('Sandbox Video')
  await page.getByLabel('Search families').fill('nothing is called so')
  await page.getByRole('heading', { name: 'No family matches these filters' }).waitFor()
  await screenshot(page, 'catalog-nothing-found')

  await page.goto(catalogOf(team, '?task=text-to-image&state=locked'))
  await shown('Sandbox Locked', 'Sandbox Offline')
})

test('the question names the ten keys that started the family most, and counts the rest', async () => {
  const { team, user, key } = await aTeamWithKey(services)
  const page = await aBrowserPage(app, { as: user, at: catalogOf(team) })
  const asking = page.getByRole('dialog', { name: 'Switch Sandbox Audio off?' })
  const ask = () => page.getByRole('switch', { name: `Sandbox Audio for ${team.name}` }).click({ force: true })
  await ask()
  await asking.getByText('No key that may start it has started it in the last 30 days. 1 key may start it today.').waitFor()
  await asking.getByRole('button', { name: 'Cancel' }).click()
  await asking.waitFor({ state: 'detached' })
  for (let n = 1; n <= 12; n += 1) {
    const { apiKey } = await issueKey(tool, { teamId: team.id, userId: user.id, name: `bot ${n}`, scopes: ['generations:write'] })
    await services.pool.query('update api_keys set last_used_at = present() where id = $1', [apiKey.id])
    await services.pool.query(
      `insert into usage_days (account_id, owner_id, day, key_id, family_id, ready)
         select id, team_id, utc_day(present()), $1, 'sandbox-audio', $2 from credit_accounts where team_id = $3`,
      [apiKey.id, n, team.id],
    )
  }
  await ask()
  await asking.getByText('1 other key may start it too.').waitFor()
  const named = await asking.getByRole('listitem').allTextContents()
  expect(named).toHaveLength(11)
  expect(named.slice(0, 10)).toEqual([12, 11, 10, 9, 8, 7, 6, 5, 4, 3].map((n) => `bot ${n}: ${n} generations`))
  expect(named.at(-1)).toBe('and 2 more')
  expect(named.join()).not.toContain(key.name)
  await expectAccessible(page)
  await screenshot(page, 'catalog-refused-keys')
})

test('an administrator is asked with the names of the keys that will fail, and switches a family off and on for the team', async () => {
  const { team, value: key } = await aTeamWithKey(services)
  await app.ask('POST /generations', { key, body: { familyId: 'sandbox-audio', prompt: 'rain' } })
  const admin = await aUser(services)
  await setTeamMember(tool, { teamId: team.id, userId: admin.id, role: 'admin' })
  const page = await aBrowserPage(app, { as: admin, at: catalogOf(team) })
  const toggle = page.getByRole('switch', { name: `Sandbox Audio for ${team.name}` })
  const lockReason = async () => (await app.ask('GET /families/sandbox-audio', { key })).body.lockReason

  await toggle.click({ force: true })
  const asking = page.getByRole('dialog', { name: 'Switch Sandbox Audio off?' })
  await asking.getByText('also in production').waitFor()
  await asking.getByText('These keys started it in the last 30 days, and will fail').waitFor()
  expect(await asking.getByRole('listitem').allTextContents()).toEqual(['test key: 1 generation'])
  await screenshot(page, 'catalog-switch-off')
  await asking.getByRole('button', { name: 'Cancel' }).click()
  expect(await lockReason()).toBeUndefined()
  await toggle.click({ force: true })
  await asking.getByRole('button', { name: 'Switch off' }).click()
  await page.getByText(`Sandbox Audio is off for ${team.name}.`).waitFor()
  expect(await lockReason()).toBe('disabled_by_team')
  await page.getByText(`by ${admin.name}, just now`).waitFor()
  expect(await toggle.isChecked()).toBe(false)
  await screenshot(page, 'catalog-switched-off')

  await page.getByRole('button', { name: 'Undo' }).click()
  await page.getByText(`Sandbox Audio is on for ${team.name}.`).waitFor()
  expect(await lockReason()).toBeUndefined()
})

test('a member sees who switched a family off, and cannot switch it', async () => {
  const { team, user: owner } = await aTeam(services)
  const member = await aUser(services)
  await setTeamMember(tool, { teamId: team.id, userId: member.id, role: 'member' })
  const asOwner = contextFor(services, { kind: 'person', userId: owner.id })
  await setTeamFamilyAvailability(asOwner, { familyId: 'sandbox-3d', teamId: team.id, available: false })
  const page = await aBrowserPage(app, { as: member, at: catalogOf(team) })
  const row = page.getByRole('row').filter({ hasText: 'sandbox-3d' })
  await row.getByText(`by ${owner.name}`).waitFor()
  expect(await row.innerText()).toContain('An owner or administrator can switch it on again.')
  expect(await page.getByRole('switch').count()).toBe(0)
})

test('a family that does not exist is not found', async () => {
  const { team, user } = await aTeam(services)
  const page = await aBrowserPage(app, { as: user, at: catalogOf(team, '/none') })
  await page.getByRole('heading', { name: 'Not found', level: 1 }).waitFor()
})
