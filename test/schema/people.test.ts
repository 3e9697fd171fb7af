import { afterAll, expect, test } from 'vitest'
import { newId } from '../../src/contract/ids.ts'
import { readApiKey } from '../../src/secrets/apiKeyText.ts'
import { aTeam, aTeamWithKey, aUser } from '../support/factories.ts'
import { testEndpoint } from '../support/http/graphql.ts'
import { testServices } from '../support/services.ts'

const { services, clock, close } = await testServices()
const { app, ask, dataOf } = await testEndpoint(services)
afterAll(async () => {
  await app.close()
  await close()
})

async function refusedAs(query: string, variables: Record<string, unknown> = {}): Promise<string> {
  const { errors } = await ask(query, variables)
  const issues = (errors[0]?.extensions.details?.['issues'] ?? []) as { path: string[]; code: string }[]
  return [errors[0]?.extensions.code, ...issues.map((issue) => `${issue.path.join('.')}: ${issue.code}`)].join(' ')
}

const createTeam =
  'mutation ($input: CreateTeamInput!) { createTeam(input: $input) { id name planExpiresAt blocked externalAccess createdAt account { creditsAvailable creditsHeld json } } }'
const createUser =
  'mutation ($input: CreateUserInput!) { createUser(input: $input) { id email name subscriptionActive account { creditsAvailable } } }'

test('a tool creates a team, a person, a membership, credits and a key', async () => {
  const { createTeam: team } = await dataOf<{ createTeam: { id: string } }>(createTeam, {
    input: { name: 'Studio', planExpiresAt: '2027-03-01T01:00:00+01:00' },
  })
  expect(team).toEqual({
    id: expect.stringMatching(/^team_/),
    name: 'Studio',
    planExpiresAt: '2027-03-01T00:00:00.000Z',
    blocked: false,
    externalAccess: true,
    createdAt: clock.now().toISOString(),
    account: { creditsAvailable: 0, creditsHeld: 0, json: null },
  })
  const { createUser: user } = await dataOf<{ createUser: { id: string } }>(createUser, {
    input: { email: 'ada@example.test', name: 'Ada', password: 'correct horse' },
  })
  expect(user).toMatchObject({ email: 'ada@example.test', subscriptionActive: false, account: { creditsAvailable: 0 } })
  const member = { teamId: team.id, userId: user.id }
  const joined = await dataOf(
    'mutation ($input: SetTeamMemberInput!) { setTeamMember(input: $input) { role team { name } user { name } } }',
    { input: { ...member, role: 'OWNER' } },
  )
  expect(joined).toEqual({ setTeamMember: { role: 'OWNER', team: { name: 'Studio' }, user: { name: 'Ada' } } })
  const grant = 'mutation ($input: GrantCreditsInput!) { grantCredits(input: $input) { creditsAvailable creditsHeld } }'
  const input = { teamId: team.id, credits: 10.5, note: 'welcome', idempotencyKey: 'one' }
  for (let repeat = 0; repeat < 2; repeat++)
    expect(await dataOf(grant, { input })).toEqual({ grantCredits: { creditsAvailable: 10.5, creditsHeld: 0 } })
  const issue = `mutation ($input: IssueApiKeyInput!) { issueApiKey(input: $input) { value apiKey {
    id name prefix scopes issuedBy { id } team { id } createdAt lastUsedAt revokedAt dailyLimitCredits singleLimitCredits spentTodayCredits heldCredits } } }`
  const asked = { teamId: team.id, name: 'bot', scopes: ['CATALOG_READ', 'MCP'], dailyLimitCredits: 5.05 }
  const { issueApiKey: issued } = await dataOf<{ issueApiKey: { value: string; apiKey: Record<string, unknown> } }>(issue, { input: asked })
  expect(readApiKey(issued.value)).toBeDefined()
  expect(issued.apiKey).toEqual({
    id: expect.stringMatching(/^key_/),
    name: 'bot',
    prefix: issued.value.slice(0, 12),
    scopes: ['CATALOG_READ', 'MCP'],
    issuedBy: { id: user.id },
    team: { id: team.id },
    createdAt: clock.now().toISOString(),
    lastUsedAt: null,
    revokedAt: null,
    dailyLimitCredits: 5.05,
    singleLimitCredits: null,
    spentTodayCredits: 0,
    heldCredits: 0,
  })
})

test('changes are in the response to the mutation and to the next query', async () => {
  const { team, user, key } = await aTeamWithKey(services)
  const update = `mutation ($team: ID!, $user: ID!, $key: ID!) {
    updateTeam(input: { id: $team, name: "New", blocked: true }) { name blocked externalAccess }
    updateUser(input: { id: $user, subscriptionActive: true }) { subscriptionActive }
    updateApiKey(input: { id: $key, singleLimitCredits: 2, dailyLimitCredits: null }) { singleLimitCredits dailyLimitCredits issuedBy { subscriptionActive } team { name } }
    revokeApiKey(input: { id: $key }) { revokedAt singleLimitCredits }
    removeTeamMember(input: { teamId: $team, userId: $user })
    again: removeTeamMember(input: { teamId: $team, userId: $user })
  }`
  expect(await dataOf(update, { team: team.id, user: user.id, key: key.id })).toEqual({
    updateTeam: { name: 'New', blocked: true, externalAccess: true },
    updateUser: { subscriptionActive: true },
    updateApiKey: { singleLimitCredits: 2, dailyLimitCredits: null, issuedBy: { subscriptionActive: true }, team: { name: 'New' } },
    revokeApiKey: { revokedAt: clock.now().toISOString(), singleLimitCredits: 2 },
    removeTeamMember: true,
    again: false,
  })
  const look = 'query ($team: ID!) { team(id: $team) { name members { nodes { role } } apiKeys { nodes { revokedAt } } } }'
  expect(await dataOf(look, { team: team.id })).toEqual({
    team: { name: 'New', members: { nodes: [] }, apiKeys: { nodes: [{ revokedAt: clock.now().toISOString() }] } },
  })
})

test.each([newId('team'), newId('user'), 'team_', '', 'x'.repeat(4000), "'; drop table teams --", '%00'])(
  '%j finds nothing',
  async (id) => {
    const { user } = await aTeam(services)
    expect(await dataOf('query ($id: ID!) { team(id: $id) { id } user(id: $id) { id } }', { id })).toEqual({ team: null, user: null })
    expect(await refusedAs('mutation ($id: ID!) { updateTeam(input: { id: $id }) { id } }', { id })).toBe('invalid_request id: not_allowed')
    expect(await refusedAs('mutation ($id: ID!) { revokeApiKey(input: { id: $id }) { id } }', { id })).toBe(
      'invalid_request id: not_allowed',
    )
    const member = 'mutation ($id: ID!, $user: ID!) { setTeamMember(input: { teamId: $id, userId: $user, role: ADMIN }) { role } }'
    expect(await refusedAs(member, { id, user: user.id })).toBe('invalid_request teamId: not_allowed')
  },
)

test.each([
  ['2027-01-31T12:00:00Z', '2027-01-31T12:00:00.000Z'],
  ['2027-01-31T12:00Z', '2027-01-31T12:00:00.000Z'],
  ['2027-01-31T12:00:00.123456789012+01:30', '2027-01-31T10:30:00.123Z'],
  ['2028-02-29T23:59:59-01:00', '2028-03-01T00:59:59.000Z'],
  ['0001-01-01T00:00:00Z', '0001-01-01T00:00:00.000Z'],
  ['9999-12-31T23:59:59.999Z', '9999-12-31T23:59:59.999Z'],
])('the time %s is returned as %s', async (planExpiresAt, given) => {
  const { createTeam: team } = await dataOf<{ createTeam: { id: string; planExpiresAt: string } }>(createTeam, {
    input: { name: 'x', planExpiresAt },
  })
  expect(team.planExpiresAt).toBe(given)
  expect(await dataOf('query ($id: ID!) { team(id: $id) { planExpiresAt } }', { id: team.id })).toEqual({ team: { planExpiresAt: given } })
})

test.each([
  ...['tomorrow', '', '2027-01-31', '2027-01-31T12:00:00', '2027-02-30T00:00:00Z', '2027-02-29T00:00:00Z', '2027-13-01T00:00:00Z'],
  ...[
    '2027-01-01T00:00:60Z',
    '2027-01-01T00:00:00+99:99',
    '0000-06-01T00:00:00Z',
    '0001-01-01T00:00:00+02:00',
    '9999-12-31T23:59:59-02:00',
  ],
  ...['+012027-01-01T00:00:00Z', ' 2027-01-01T00:00:00Z', 1_800_000_000, true, ['2027-01-01T00:00:00Z'], {}],
])('the time %j is refused', async (planExpiresAt) => {
  expect(await refusedAs(createTeam, { input: { name: 'x', planExpiresAt } })).toBe('invalid_request planExpiresAt: bad_format')
})

test('a taken e-mail address is refused at its field', async () => {
  const { email } = await aUser(services)
  expect(await refusedAs(createUser, { input: { email: email.toUpperCase(), name: 'Again' } })).toBe('invalid_request email: conflict')
})

test.each([
  ['{ name: "x", nonsense: 1 }', 'CreateTeamInput'],
  ['{ }', 'CreateTeamInput'],
  ['{ name: null }', 'CreateTeamInput'],
])('%s is refused by GraphQL', async (input) => {
  expect(await refusedAs(`mutation { createTeam(input: ${input}) { id } }`)).toBe('invalid_request : bad_format')
})
