import { afterAll, expect, test } from 'vitest'
import { issueKey } from '../../../../src/domain/access/keys/issueKey.ts'
import { revokeKey } from '../../../../src/domain/access/keys/revokeKey.ts'
import { rotateKey } from '../../../../src/domain/access/keys/rotateKey.ts'
import { setTeamMember } from '../../../../src/domain/access/teams/memberships.ts'
import type { Scope } from '../../../../src/entities/ApiKey.ts'
import { testApp } from '../../../support/app.ts'
import { aBrowserPage } from '../../../support/browser/browser.ts'
import { expectAccessible, expectNoSidewaysScrolling, screenshot } from '../../../support/browser/browserChecks.ts'
import { aServiceContext, aTeam, aUser, restScopes } from '../../../support/factories.ts'

const app = await testApp({ clock: 'database' })
afterAll(app.close)
const { services } = app
const tool = aServiceContext(services)
const dayMs = 86_400_000
const inDays = (days: number) => new Date(Date.now() + days * dayMs)

async function aTeamOfKeys() {
  const { team, user } = await aTeam(services)
  const leaver = await aUser(services)
  await setTeamMember(tool, { teamId: team.id, userId: leaver.id, role: 'admin' })
  const key = async (
    name: string,
    options: { userId?: string; scopes?: readonly Scope[]; dailyLimitCredits?: number; singleLimitCredits?: number; expiresAt?: Date } = {},
  ) => (await issueKey(tool, { teamId: team.id, userId: user.id, name, scopes: restScopes, ...options })).apiKey
  const change = (id: string, sets: string) => services.pool.query(`update api_keys set ${sets} where id = $1`, [id])
  const gone = await key('retired worker')
  await revokeKey(tool, gone.id)
  const expired = await key('holiday contractor', { expiresAt: inDays(1), scopes: ['catalog:read'] })
  await change(expired.id, "expires_at = now() - interval '2 days'")
  await key('ingest of Alice', { userId: leaver.id })
  await setTeamMember(tool, { teamId: team.id, userId: leaver.id, role: 'member' })
  const idle = await key('old batch', { scopes: ['generations:read', 'generations:write'] })
  await change(idle.id, "last_used_at = now() - interval '91 days', created_at = now() - interval '200 days'")
  const silent = await key('agent of the studio', { scopes: [...restScopes, 'mcp'] })
  await change(silent.id, "created_at = now() - interval '3 days'")
  await key('reader', { scopes: ['generations:read'], dailyLimitCredits: 0 })
  const rotated = await key('website', { dailyLimitCredits: 1000, singleLimitCredits: 5, expiresAt: inDays(3) })
  await change(rotated.id, "last_used_at = now() - interval '3 hours'")
  await rotateKey(tool, { id: rotated.id, overlapHours: 24 })
  const busy = await key('render-bot', { dailyLimitCredits: 500, singleLimitCredits: 25.5 })
  await change(
    busy.id,
    "held_open = 1400, charged_day = utc_day(present()), charged_on_day = 39950, last_used_at = now() - interval '1 minute'",
  )
  return { team, user }
}

test('each row shows the state, spending and warnings of its key as text', async () => {
  const { team, user } = await aTeamOfKeys()
  const page = await aBrowserPage(app, { as: user, at: `/integrations/${team.id}/keys` })
  const row = (name: string) => page.getByRole('row', { name })
  const says = async (name: string, ...words: string[]) => {
    const text = (await row(name).textContent()) ?? ''
    for (const each of words) expect(text).toContain(each)
  }
  await row('render-bot').waitFor()
  await says('render-bot', 'Active', 'generations:write', 'Near its daily ceiling', user.name)
  await says('render-bot', '399.5 credits spent today and 14 credits held, of 500 credits a day, 25.5 credits at most for one generation.')
  await says('website', 'Expires soon', 'until')
  await says('reader', 'None allowed')
  expect(await row('reader').textContent()).not.toMatch(/0\s+of\s+0/)
  await says('old batch', 'Idle for 90 days')
  await says('agent of the studio', 'Never used', 'mcp')
  await says('ingest of Alice', 'Refused: issuer lost the role')
  await says('holiday contractor', 'Expired')
  await says('retired worker', 'Revoked')
  await expectAccessible(page)
  await screenshot(page, 'keys')
  await page.getByRole('button', { name: 'Actions for render-bot' }).click()
  await page.getByRole('menuitem', { name: 'Revoke' }).waitFor()
  await expectAccessible(page)
  await screenshot(page, 'keys-menu')
})

test('unavailable actions of a key are disabled', async () => {
  const { team, user } = await aTeamOfKeys()
  const page = await aBrowserPage(app, { as: user, at: `/integrations/${team.id}/keys` })
  const disabled = async (name: string) => {
    await page.getByRole('button', { name: `Actions for ${name}` }).click()
    await page.getByRole('menuitem', { name: 'Revoke' }).waitFor()
    const items = await page.getByRole('menuitem').all()
    const found: string[] = []
    for (const item of items) if (await item.isDisabled()) found.push((await item.textContent()) ?? '')
    await page.getByRole('menu').press('Escape')
    await page.getByRole('menu').waitFor({ state: 'detached' })
    return found
  }
  expect(await disabled('render-bot')).toEqual([])
  expect(await disabled('holiday contractor')).toEqual(['Rotate'])
  expect(await disabled('retired worker')).toEqual(['Rotate', 'Revoke'])
})

test('a hostile name is rendered as plain text inside its cell', async () => {
  const { team, user } = await aTeam(services)
  const names = ['<img src=x onerror=alert(1)>', `tool\u202Egnp.exe`, 'W'.repeat(100), '🦊🏳️‍🌈 Ünïcode']
  for (const name of names) await issueKey(tool, { teamId: team.id, userId: user.id, name, scopes: ['catalog:read'] })
  const page = await aBrowserPage(app, { as: user, at: `/integrations/${team.id}/keys` })
  for (const name of names) {
    await page.getByRole('button', { name: `Actions for ${name}`, exact: true }).waitFor()
    await page.getByText(name, { exact: true }).first().waitFor()
  }
  expect(await page.locator('main img').count()).toBe(0)
  await page.setViewportSize({ width: 360, height: 740 })
  await expectNoSidewaysScrolling(page)
  await expectAccessible(page)
  await screenshot(page, 'keys-hostile')
})
