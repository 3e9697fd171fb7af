import { afterAll, expect, test } from 'vitest'
import { recordGroupsClaim } from '../../../src/domain/access/sessions/groupsClaims.ts'
import { aServiceContext, aTeamWithKey } from '../../support/factories.ts'
import { testEndpoint } from '../../support/http/graphql.ts'
import { aMember } from '../../support/people/sessions.ts'
import { testServices } from '../../support/services.ts'

const provider = { name: 'Example ID', issuer: 'https://id.example.com', claim: 'groups' }
const { services, close } = await testServices({ settings: { groupProvider: provider } })
afterAll(close)
const own = await aTeamWithKey(services)
const teamId = own.team.id
const admin = await aMember(services, { teamId, role: 'admin' })
const stranger = await aTeamWithKey(services)

let asking: string | undefined
const endpoint = await testEndpoint(services, {
  authenticateSession: async () => (asking === undefined ? undefined : { kind: 'person', userId: asking }),
})

/** Sends a document in the session of a person, or without one. Returns the data, or the code and the first issue of the refusal. */
async function as(userId: string | undefined, query: string, variables: Record<string, unknown> = {}) {
  asking = userId
  const headers = { origin: services.settings.publicUrl, 'content-type': 'application/json' }
  const response = await endpoint.app.inject({ method: 'POST', url: '/graphql', headers, payload: { query, variables } })
  const { data, errors } = response.json()
  if (!errors) return data
  const { code, details } = errors[0].extensions
  return { refused: code, at: details?.issues?.[0]?.path.join('.') }
}
const mutation = 'mutation ($input: SetTeamGroupInput!) { setTeamGroup(input: $input) { groupProvider groups { group role } } }'
const set = (userId: string | undefined, group: string, role?: string | null, id = teamId) =>
  as(userId, mutation, { input: { teamId: id, group, role } })

test('an owner gives a group a role, changes it and removes it; each change is audited once', async () => {
  const { id } = own.user
  expect(await set(id, ' /studio/leads ', 'ADMIN')).toEqual({
    setTeamGroup: { groupProvider: 'Example ID', groups: [{ group: '/studio/leads', role: 'ADMIN' }] },
  })
  await set(id, '/studio/leads', 'ADMIN')
  await set(id, '/studio/leads', 'MEMBER')
  expect((await set(id, '/studio/leads', null)).setTeamGroup.groups).toEqual([])
  await set(id, '/studio/leads')
  const { rows } = await services.pool.query(
    `select before, after from audit_entries where team_id = $1 and action = 'team.group_set' order by id`,
    [teamId],
  )
  expect(rows).toEqual([
    { before: { group: '/studio/leads', role: null }, after: { role: 'admin' } },
    { before: { group: '/studio/leads', role: 'admin' }, after: { role: 'member' } },
    { before: { group: '/studio/leads', role: 'member' }, after: { role: null } },
  ])
})

test('an owner reads what the last sign-in carried as the groups claim', async () => {
  const query = `{ team(id: "${teamId}") { groupsClaim { name lastSignInAt lastOutcome } } }`
  const { id } = own.user
  expect((await as(id, query)).team.groupsClaim).toEqual({ name: 'groups', lastSignInAt: null, lastOutcome: null })
  await recordGroupsClaim(aServiceContext(services), provider, 'malformed')
  const lastSignInAt = services.clock.now().toISOString()
  expect((await as(id, query)).team.groupsClaim).toEqual({ name: 'groups', lastSignInAt, lastOutcome: 'MALFORMED' })
  expect(await as(admin.id, query)).toMatchObject({ refused: expect.any(String) })
})

test('only an owner of the team sees and sets its groups', async () => {
  for (const { id } of [admin, stranger.user]) {
    expect(await set(id, 'renderers', 'OWNER')).toMatchObject({ refused: 'access_denied' })
    expect(await as(id, `{ team(id: "${teamId}") { groups { group } } }`)).toMatchObject({ refused: expect.any(String) })
  }
  expect(await set(undefined, 'renderers', 'OWNER')).toMatchObject({ refused: 'unauthorized' })
})

test.each([
  ['nothing', '  '],
  ['a NUL', 'a\0b'],
  ['a lone surrogate', '\ud800'],
  ['201 characters', 'x'.repeat(201)],
])('a group of %s is refused', async (_words, group) => {
  expect(await set(own.user.id, group, 'MEMBER')).toMatchObject({ refused: 'invalid_request' })
})

test('a team takes 100 groups, and can still change and remove them', async () => {
  await services.pool.query(
    `insert into team_groups (team_id, name, role, created_at) select $1, 'group ' || n, 'member', present() from generate_series(1, 100) n`,
    [stranger.team.id],
  )
  const of = (group: string, role: string | null) => set(stranger.user.id, group, role, stranger.team.id)
  expect(await of('one more', 'MEMBER')).toEqual({ refused: 'invalid_request', at: 'group' })
  expect((await of('group 1', 'ADMIN')).setTeamGroup.groups[0]).toEqual({ group: 'group 1', role: 'ADMIN' })
  await of('group 1', null)
  expect((await of('one more', 'MEMBER')).setTeamGroup.groups).toHaveLength(100)
})
