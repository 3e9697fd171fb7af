import { afterAll, expect, test } from 'vitest'
import { issueKey } from '../../../../src/domain/access/keys/issueKey.ts'
import { type KeyFilter, listKeys } from '../../../../src/domain/access/keys/listKeys.ts'
import { revokeKey } from '../../../../src/domain/access/keys/revokeKey.ts'
import { rotateKey } from '../../../../src/domain/access/keys/rotateKey.ts'
import { aServiceContext, aTeam, aTeamWithKey } from '../../../support/factories.ts'
import { issueOf } from '../../../support/refused.ts'
import { testServices } from '../../../support/services.ts'

const { services, clock, close } = await testServices()
afterAll(close)
const context = aServiceContext(services)
const { team } = await aTeam(services)
await aTeamWithKey(services)

async function aKey(name: string, expiresAt: Date | null = null) {
  return issueKey(context, { teamId: team.id, name, scopes: ['catalog:read'], expiresAt })
}

const render = await aKey('Render_bot 50%')
const plain = await aKey('renderXbot 500')
const short = await aKey('kurz', new Date(clock.now().getTime() + 1000))
const revoked = await aKey('gone')
await revokeKey(context, revoked.apiKey.id)
await clock.advance(1000)

async function found(filter: KeyFilter): Promise<string[]> {
  const keys = await listKeys(context, { teamId: team.id, ...filter }, { limit: 50, fromTheEnd: false })
  return keys.map(({ name }) => name)
}

test.each<[KeyFilter, string[]]>([
  [{}, ['gone', 'kurz', 'renderXbot 500', 'Render_bot 50%']],
  [{ state: 'live' }, ['renderXbot 500', 'Render_bot 50%']],
  [{ state: 'expired' }, ['kurz']],
  [{ state: 'revoked' }, ['gone']],
  [{ search: 'rENDER' }, ['renderXbot 500', 'Render_bot 50%']],
  [{ search: 'render_bot' }, ['Render_bot 50%']],
  [{ search: '50%' }, ['Render_bot 50%']],
  [{ search: '\\' }, []],
  [{ search: 'render', state: 'revoked' }, []],
  [{ search: '  ' }, ['gone', 'kurz', 'renderXbot 500', 'Render_bot 50%']],
])('%j finds only keys of the team', async (filter, names) => {
  expect(await found(filter)).toEqual(names)
})

test('a key is found by its identifier, its prefix, a whole value and its previous value', async () => {
  expect(await found({ search: plain.apiKey.id })).toEqual(['renderXbot 500'])
  expect(await found({ search: plain.apiKey.prefix.toUpperCase() })).toEqual(['renderXbot 500'])
  expect(await found({ search: plain.value })).toEqual(['renderXbot 500'])
  const { value } = await rotateKey(context, { id: render.apiKey.id, overlapHours: 1 })
  for (const search of [value, render.value]) expect(await found({ search })).toEqual(['Render_bot 50%'])
})

test('a search text that no name can contain is refused', async () => {
  expect(await issueOf(found({ search: 'a\0' }))).toBe('search: bad_format')
  expect(await issueOf(found({ search: 'a'.repeat(201) }))).toBe('search: too_long')
})

test('pages of a filtered list are consecutive', async () => {
  const filter = { teamId: team.id, search: 'render' }
  const [first] = await listKeys(context, filter, { limit: 1, fromTheEnd: false })
  const rest = await listKeys(context, filter, { limit: 9, fromTheEnd: false, after: first?.id })
  expect([first?.id, ...rest.map(({ id }) => id)]).toEqual([plain.apiKey.id, render.apiKey.id])
  expect(short.apiKey.id).not.toBe(first?.id)
})
