import { afterAll, expect, test } from 'vitest'
import { newId } from '../../../src/contract/ids.ts'
import { issueKey } from '../../../src/domain/access/keys/issueKey.ts'
import { listKeys } from '../../../src/domain/access/keys/listKeys.ts'
import { revokeKey } from '../../../src/domain/access/keys/revokeKey.ts'
import { updateKey } from '../../../src/domain/access/keys/updateKey.ts'
import { removeTeamMember, setTeamMember } from '../../../src/domain/access/teams/memberships.ts'
import { readApiKey } from '../../../src/secrets/apiKeyText.ts'
import { aServiceContext, aTeam, aTeamWithKey, aUser } from '../../support/factories.ts'
import { issueOf, refused } from '../../support/refused.ts'
import { testServices } from '../../support/services.ts'

const { services, clock, close } = await testServices()
afterAll(close)
const context = () => aServiceContext(services)
const reading = { name: 'render-bot', scopes: ['generations:read'] } as const

test('only the hash and the prefix of a key are stored', async () => {
  const { team, user } = await aTeam(services)
  const { apiKey, value } = await issueKey(context(), { teamId: team.id, userId: user.id, ...reading })
  expect(apiKey.hash).toEqual(readApiKey(value))
  expect(value.startsWith(apiKey.prefix) && apiKey.prefix.length === 12).toBe(true)
  const { rows } = await services.pool.query('select to_jsonb(k)::text as row from api_keys k where id = $1', [apiKey.id])
  expect(rows[0].row).not.toContain(value.slice(12))
})

test('without an issuer, a team key is issued by the first owner, else by the first administrator', async () => {
  const { team, user: member } = await aTeam(services, { role: 'member' })
  expect(await refused(issueKey(context(), { teamId: team.id, ...reading }))).toEqual({
    code: 'team_required',
    details: { missing: 'role' },
  })
  const [firstAdmin, secondAdmin, owner] = [await aUser(services), await aUser(services), await aUser(services)]
  await setTeamMember(context(), { teamId: team.id, userId: firstAdmin.id, role: 'admin' })
  await clock.advance(1000)
  await setTeamMember(context(), { teamId: team.id, userId: secondAdmin.id, role: 'admin' })
  expect((await issueKey(context(), { teamId: team.id, ...reading })).apiKey.userId).toBe(firstAdmin.id)
  await setTeamMember(context(), { teamId: team.id, userId: owner.id, role: 'owner' })
  expect((await issueKey(context(), { teamId: team.id, ...reading })).apiKey.userId).toBe(owner.id)
  expect(member.id).not.toBe(owner.id)
})

test('a member, and a person outside the team, get no key with scopes of REST', async () => {
  const { team, user } = await aTeam(services, { role: 'member' })
  const stranger = await aUser(services)
  for (const userId of [user.id, stranger.id]) {
    const asked = issueKey(context(), { teamId: team.id, userId, name: 'mine', scopes: ['mcp', 'generations:read'] })
    expect(await refused(asked)).toEqual({ code: 'team_required', details: { missing: 'role' } })
  }
  const agents = await issueKey(context(), { teamId: team.id, userId: user.id, name: 'agent', scopes: ['mcp'] })
  expect(agents.apiKey).toMatchObject({ teamId: team.id, userId: user.id, scopes: ['mcp'] })
  expect(await refused(issueKey(context(), { teamId: team.id, userId: stranger.id, name: 'agent', scopes: ['mcp'] }))).toMatchObject({
    code: 'team_required',
  })
})

test('a personal key takes only the scope mcp', async () => {
  const user = await aUser(services)
  const { apiKey } = await issueKey(context(), { userId: user.id, name: 'agent', scopes: ['mcp'] })
  expect(apiKey).toMatchObject({ teamId: null, userId: user.id })
  expect(await refused(issueKey(context(), { userId: user.id, ...reading }))).toEqual({
    code: 'team_required',
    details: { missing: 'team' },
  })
  expect(await listKeys(context(), { userId: user.id }, { limit: 9, fromTheEnd: false })).toHaveLength(1)
})

test('a former member issues no keys for the team', async () => {
  const { team, user } = await aTeam(services)
  await removeTeamMember(context(), { teamId: team.id, userId: user.id })
  expect(await refused(issueKey(context(), { teamId: team.id, userId: user.id, ...reading }))).toMatchObject({ code: 'team_required' })
})

test.each([
  [{ teamId: newId('team') }, 'teamId: not_allowed'],
  [{ teamId: undefined }, 'teamId: required'],
  [{ userId: newId('user') }, 'userId: not_allowed'],
] as const)('%j is refused, and no key is created', async (change, issue) => {
  const { team } = await aTeam(services)
  expect(await issueOf(issueKey(context(), { teamId: team.id, ...reading, ...change }))).toBe(issue)
  expect(await listKeys(context(), { teamId: team.id }, { limit: 9, fromTheEnd: false })).toHaveLength(0)
})

test('ceilings are stored exactly, changed one by one, and removed with null', async () => {
  const { key } = await aTeamWithKey(services, { dailyLimitCredits: 500.25, singleLimitCredits: 0 })
  expect(key).toMatchObject({ dailyLimit: 50025, singleLimit: 0 })
  expect(await updateKey(context(), { id: key.id, singleLimitCredits: 0.1 })).toMatchObject({
    dailyLimit: 50025,
    singleLimit: 10,
    name: 'test key',
  })
  expect(await updateKey(context(), { id: key.id, dailyLimitCredits: null, name: 'renamed' })).toMatchObject({
    dailyLimit: null,
    singleLimit: 10,
    name: 'renamed',
  })
})

test('a change of an unknown key is refused', async () => {
  expect(await issueOf(updateKey(context(), { id: 'key_\0', name: 'x' }))).toBe('id: not_allowed')
})

test('a second revoke keeps the first time', async () => {
  const { key } = await aTeamWithKey(services)
  const revokedAt = clock.now()
  expect(await revokeKey(context(), key.id)).toMatchObject({ revokedAt })
  await clock.advance(60_000)
  expect(await revokeKey(context(), key.id)).toMatchObject({ revokedAt })
  expect(await issueOf(revokeKey(context(), newId('key')))).toBe('id: not_allowed')
})
