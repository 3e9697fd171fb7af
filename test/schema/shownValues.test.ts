import { afterAll, expect, onTestFinished, test, vi } from 'vitest'
import { issueKey } from '../../src/domain/access/keys/issueKey.ts'
import { revokeKey } from '../../src/domain/access/keys/revokeKey.ts'
import { rotateKey } from '../../src/domain/access/keys/rotateKey.ts'
import { removeTeamMember, setTeamMember } from '../../src/domain/access/teams/memberships.ts'
import { deleteSubscription } from '../../src/domain/webhooks/subscriptions/deleteSubscription.ts'
import { rotateSecret } from '../../src/domain/webhooks/subscriptions/rotateSecret.ts'
import { aServiceContext, aTeam } from '../support/factories.ts'
import { aPerson } from '../support/people/aPerson.ts'
import { aMember, aPersonContext } from '../support/people/sessions.ts'
import { testServices } from '../support/services.ts'
import { loopback } from '../support/webhooks/webhooks.ts'

const { services, clock, close } = await testServices({ settings: loopback })
afterAll(close)
const tool = aServiceContext(services)
const hourMs = 3_600_000

type Shown = { user: { id: string }; shownKeys: { id: string; name: string }[]; shownWebhooks?: { id: string }[]; workingKeys: number }
type Members = { team: { members: { nodes: Shown[] } } }
type Upkeep = { apiKey: { hints: string[]; previousPrefix: string | null; previousValueEndsAt: string | null } }

const membersQuery = `query ($team: ID!, $manages: Boolean = true) { team(id: $team) { members { nodes {
  user { id } workingKeys shownKeys { id name } shownWebhooks @include(if: $manages) { id } } } } }`

async function aTeamWithAdmin() {
  const { team, user: owner } = await aTeam(services)
  const admin = await aMember(services, { teamId: team.id, role: 'admin' })
  const aKey = async (name: string, issuer = owner) => {
    const asked = { teamId: team.id, userId: issuer.id, name, scopes: ['catalog:read'] } as const
    return (await issueKey(tool, asked)).apiKey.id
  }
  const rotate = (by: { id: string }, id: string, overlapHours = 0) =>
    rotateKey(aPersonContext(services, { userId: by.id }), { id, overlapHours })
  /** The memberships as the team page reads them, for one member. */
  const shownTo = async (of: { id: string }, as: { id: string } = owner) => {
    const { data } = await aPerson(services, as.id)<Members>(membersQuery, { team: team.id })
    const { shownKeys = [], shownWebhooks = [] } = data?.team.members.nodes.find(({ user }) => user.id === of.id) ?? {}
    return { keys: shownKeys.map(({ name }) => name), webhooks: shownWebhooks.map(({ id }) => id) }
  }
  return { team, owner, admin, aKey, rotate, shownTo }
}

test('a membership lists the live keys whose value a rotation showed to that person, without keys that they issued', async () => {
  const { owner, admin, aKey, rotate, shownTo } = await aTeamWithAdmin()
  await aKey('untouched')
  const own = await aKey('their own', admin)
  await rotate(admin, own)
  const [present, before, over, revoked] = [await aKey('present'), await aKey('before'), await aKey('over'), await aKey('revoked')]
  for (const id of [present, before, over, revoked]) await rotate(admin, id)
  await rotate(owner, before, 2)
  await rotate(owner, over)
  await revokeKey(tool, revoked)
  expect((await shownTo(admin)).keys).toEqual(['before', 'present'])
  expect((await shownTo(owner)).keys).toEqual([])
  await clock.advance(2 * hourMs)
  expect((await shownTo(admin)).keys).toEqual(['present'])
})

test('a membership lists the webhooks whose present secret that person was shown, at the creation or a rotation', async () => {
  const { team, owner, admin, shownTo } = await aTeamWithAdmin()
  const create = `mutation ($team: ID!) { createWebhookSubscription(input: { teamId: $team, address: "http://127.0.0.1:9/", events: [GENERATION_FAILED] }) {
    subscription { id } } }`
  const created = async (by: { id: string }) => {
    const { data } = await aPerson(services, by.id)<{ createWebhookSubscription: { subscription: { id: string } } }>(create, {
      team: team.id,
    })
    return data?.createWebhookSubscription.subscription.id ?? ''
  }
  const [kept, taken, deleted, given] = [await created(admin), await created(admin), await created(admin), await created(owner)]
  await rotateSecret(tool, { id: taken })
  await deleteSubscription(tool, deleted)
  await rotateSecret(aPersonContext(services, { userId: admin.id }), { id: given, overlapHours: 1 })
  expect((await shownTo(admin)).webhooks).toEqual([given, kept])
  expect((await shownTo(owner)).webhooks).toEqual([])
})

test('a member sees only the names of the keys, and no webhooks', async () => {
  const { team, admin, aKey, rotate } = await aTeamWithAdmin()
  await rotate(admin, await aKey('render-bot'))
  const ask = aPerson(services, (await aMember(services, { teamId: team.id, role: 'member' })).id)
  expect((await ask(membersQuery, { team: team.id })).codes).toContain('access_denied')
  const { data, codes } = await ask<Members>(membersQuery, { team: team.id, manages: false })
  expect(codes).toEqual([])
  expect(data?.team.members.nodes.flatMap(({ shownKeys }) => shownKeys.map(({ name }) => name))).toEqual(['render-bot'])
  const prefixes = 'query ($team: ID!) { team(id: $team) { members { nodes { shownKeys { scopes } } } } }'
  expect((await ask(prefixes, { team: team.id })).codes).toContain('access_denied')
})

test('the shown keys and webhooks of a page of members take one statement each, and at most 50 are listed', async () => {
  const { team, owner, admin, aKey } = await aTeamWithAdmin()
  await services.pool.query(
    `insert into api_keys (id, team_id, user_id, name, scopes, prefix, hash, value_holder_id)
       select 'key_' || $1 || n, $1, $2, n, '{generations:write}', 'atl_', sha256(($1 || n)::bytea), $3 from generate_series(1, 60) n`,
    [team.id, owner.id, admin.id],
  )
  await aKey('another')
  for (let count = 0; count < 5; count += 1) await aMember(services, { teamId: team.id, role: 'admin' })
  const query = vi.spyOn(services.pool, 'query')
  onTestFinished(() => query.mockRestore())
  const { data } = await aPerson(services, owner.id)<Members>(membersQuery, { team: team.id })
  const named = query.mock.calls.map(([asked]) => (asked as { name?: string }).name ?? '')
  expect(named.filter((name) => name.startsWith('shown_')).toSorted()).toEqual(['shown_keys', 'shown_webhooks'])
  expect(data?.team.members.nodes.map(({ shownKeys }) => shownKeys.length).toSorted((one, two) => two - one)).toEqual([
    50, 0, 0, 0, 0, 0, 0,
  ])
})

const upkeep = 'query ($id: ID!) { apiKey(id: $id) { hints previousPrefix previousValueEndsAt } }'

test('a key whose holder lost the role has a warning, and works after another rotation', async () => {
  const { team, owner, admin, aKey, rotate } = await aTeamWithAdmin()
  const id = await aKey('render-bot')
  await rotate(admin, id, 24)
  const ask = aPerson(services, owner.id)
  const keyStatus = async () => (await ask<Upkeep>(upkeep, { id })).data?.apiKey
  expect(await keyStatus()).toMatchObject({ hints: [] })
  await removeTeamMember(tool, { teamId: team.id, userId: admin.id })
  expect(await keyStatus()).toMatchObject({ hints: ['HOLDER_WITHOUT_ROLE'], previousValueEndsAt: expect.any(String) })
  expect((await ask('mutation ($id: ID!) { rotateApiKey(input: { id: $id, overlapHours: 24 }) { value } }', { id })).codes).toEqual([])
  expect(await keyStatus()).toEqual({ hints: [], previousPrefix: null, previousValueEndsAt: null })
  await setTeamMember(tool, { teamId: team.id, userId: admin.id, role: 'admin' })
  expect(await keyStatus()).toEqual({ hints: [], previousPrefix: expect.any(String), previousValueEndsAt: expect.any(String) })
})
