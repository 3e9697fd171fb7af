import { afterAll, expect, test } from 'vitest'
import { newId } from '../../src/contract/ids.ts'
import { readApiKey } from '../../src/secrets/apiKeyText.ts'
import { aTeam, aTeamWithKey, aUser } from '../support/factories.ts'
import { testEndpoint } from '../support/graphql.ts'
import { testServices } from '../support/services.ts'

const { services, clock, close } = await testServices()
const { app, ask, told } = await testEndpoint(services)
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

test('a team, a person, a membership, credits and a key are made one after the other', async () => {
  const { createTeam: team } = await told<{ createTeam: { id: string } }>(createTeam, {
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
  const { createUser: user } = await told<{ createUser: { id: string } }>(createUser, {
    input: { email: 'ada@example.test', name: 'Ada', password: 'correct horse' },
  })
  expect(user).toMatchObject({ email: 'ada@example.test', subscriptionActive: false, account: { creditsAvailable: 0 } })
  const member = { teamId: team.id, userId: user.id }
  const joined = await told(
    'mutation ($input: SetTeamMemberInput!) { setTeamMember(input: $input) { role team { name } user { name } } }',
    { input: { ...member, role: 'OWNER' } },
  )
  expect(joined).toEqual({ setTeamMember: { role: 'OWNER', team: { name: 'Studio' }, user: { name: 'Ada' } } })
  const grant = 'mutation ($input: GrantCreditsInput!) { grantCredits(input: $input) { creditsAvailable creditsHeld } }'
  const input = { teamId: team.id, credits: 10.5, note: 'welcome', idempotencyKey: 'one' }
  for (let repeat = 0; repeat < 2; repeat++)
    expect(await told(grant, { input })).toEqual({ grantCredits: { creditsAvailable: 10.5, creditsHeld: 0 } })
  const issue = `mutation ($input: IssueApiKeyInput!) { issueApiKey(input: $input) { value apiKey {
    id name prefix scopes issuedBy { id } team { id } createdAt lastUsedAt revokedAt dailyLimitCredits singleLimitCredits spentTodayCredits heldCredits } } }`
  const asked = { teamId: team.id, name: 'bot', scopes: ['CATALOG_READ', 'MCP'], dailyLimitCredits: 5.05 }
  const { issueApiKey: issued } = await told<{ issueApiKey: { value: string; apiKey: Record<string, unknown> } }>(issue, { input: asked })
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

test('changes show in the answer to them and to the next question', async () => {
  const { team, user, key } = await aTeamWithKey(services)
  const update = `mutation ($team: ID!, $user: ID!, $key: ID!) {
    updateTeam(input: { id: $team, name: "New", blocked: true }) { name blocked externalAccess }
    updateUser(input: { id: $user, subscriptionActive: true }) { subscriptionActive }
    updateApiKey(input: { id: $key, singleLimitCredits: 2, dailyLimitCredits: null }) { singleLimitCredits dailyLimitCredits issuedBy { subscriptionActive } team { name } }
    revokeApiKey(input: { id: $key }) { revokedAt singleLimitCredits }
    removeTeamMember(input: { teamId: $team, userId: $user })
    again: removeTeamMember(input: { teamId: $team, userId: $user })
  }`
  expect(await told(update, { team: team.id, user: user.id, key: key.id })).toEqual({
    updateTeam: { name: 'New', blocked: true, externalAccess: true },
    updateUser: { subscriptionActive: true },
    updateApiKey: { singleLimitCredits: 2, dailyLimitCredits: null, issuedBy: { subscriptionActive: true }, team: { name: 'New' } },
    revokeApiKey: { revokedAt: clock.now().toISOString(), singleLimitCredits: 2 },
    removeTeamMember: true,
    again: false,
  })
  const look = 'query ($team: ID!) { team(id: $team) { name members { nodes { role } } apiKeys { nodes { revokedAt } } } }'
  expect(await told(look, { team: team.id })).toEqual({
    team: { name: 'New', members: { nodes: [] }, apiKeys: { nodes: [{ revokedAt: clock.now().toISOString() }] } },
  })
})

test.each([newId('team'), newId('user'), 'team_', '', 'x'.repeat(4000), "'; drop table teams --", '%00'])(
  'nobody is found under %j',
  async (id) => {
    const { user } = await aTeam(services)
    expect(await told('query ($id: ID!) { team(id: $id) { id } user(id: $id) { id } }', { id })).toEqual({ team: null, user: null })
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
  ['2027-01-31T12:00:00.123456789+01:30', '2027-01-31T10:30:00.123Z'],
  ['2028-02-29T23:59:59-01:00', '2028-03-01T00:59:59.000Z'],
  ['0001-01-01T00:00:00Z', '0001-01-01T00:00:00.000Z'],
  ['9999-12-31T23:59:59.999Z', '9999-12-31T23:59:59.999Z'],
])('the moment %s is kept and given back as %s', async (planExpiresAt, given) => {
  const { createTeam: team } = await told<{ createTeam: { id: string; planExpiresAt: string } }>(createTeam, {
    input: { name: 'x', planExpiresAt },
  })
  expect(team.planExpiresAt).toBe(given)
  expect(await told('query ($id: ID!) { team(id: $id) { planExpiresAt } }', { id: team.id })).toEqual({ team: { planExpiresAt: given } })
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
])('%j is no moment', async (planExpiresAt) => {
  expect(await refusedAs(createTeam, { input: { name: 'x', planExpiresAt } })).toBe('invalid_request planExpiresAt: bad_format')
})

test('an e-mail address that somebody has is refused where it stands', async () => {
  const { email } = await aUser(services)
  expect(await refusedAs(createUser, { input: { email: email.toUpperCase(), name: 'Again' } })).toBe('invalid_request email: conflict')
})

test.each([
  ['{ name: "x", nonsense: 1 }', 'CreateTeamInput'],
  ['{ }', 'CreateTeamInput'],
  ['{ name: null }', 'CreateTeamInput'],
])('%s is no input, as GraphQL says', async (input) => {
  expect(await refusedAs(`mutation { createTeam(input: ${input}) { id } }`)).toBe('invalid_request : bad_format')
})

const page = `query ($id: ID!, $first: Int, $after: String, $last: Int, $before: String) {
  team(id: $id) { apiKeys(first: $first, after: $after, last: $last, before: $before) { nodes { name } edges { cursor } pageInfo { hasNextPage hasPreviousPage startCursor endCursor } } } }`

test('a list pages both ways by its cursors, and what is added meanwhile shifts nothing', async () => {
  const { team } = await aTeam(services)
  const issue = (name: string) =>
    told('mutation ($input: IssueApiKeyInput!) { issueApiKey(input: $input) { value } }', {
      input: { teamId: team.id, name, scopes: ['MCP'] },
    })
  for (const name of ['a', 'b', 'c', 'd', 'e']) await issue(name)
  const read = async (args: Record<string, unknown>) => {
    type Page = { nodes: { name: string }[]; pageInfo: Record<string, unknown> }
    const { nodes, pageInfo } = (await told<{ team: { apiKeys: Page } }>(page, { id: team.id, ...args })).team.apiKeys
    return { ...pageInfo, names: nodes.map(({ name }) => name).join('') } as Record<string, unknown>
  }
  const first = await read({ first: 2 })
  expect(first).toMatchObject({ names: 'ed', hasNextPage: true, hasPreviousPage: false })
  await issue('f')
  const second = await read({ first: 2, after: first['endCursor'] })
  expect(second).toMatchObject({ names: 'cb', hasNextPage: true, hasPreviousPage: true })
  expect(await read({ first: 2, after: second['endCursor'] })).toMatchObject({ names: 'a', hasNextPage: false })
  expect(await read({ last: 2, before: second['startCursor'] })).toMatchObject({ names: 'ed', hasPreviousPage: true, hasNextPage: true })
  expect(await read({ last: 2 })).toMatchObject({ names: 'ba', hasPreviousPage: true, hasNextPage: false })
  expect(await read({})).toMatchObject({ names: 'fedcba', hasPreviousPage: false, hasNextPage: false })
})

test.each([
  [{ first: 0 }, 'invalid_request first: too_small'],
  [{ first: -1 }, 'invalid_request first: too_small'],
  [{ first: 51 }, 'invalid_request first: too_big'],
  [{ last: 51 }, 'invalid_request last: too_big'],
  [{ after: '' }, 'invalid_cursor'],
  [{ after: 'x' }, 'invalid_cursor'],
  [{ before: Buffer.from('key_00000000000000000000000000 ').toString('base64url') }, 'invalid_cursor'],
  [{ after: Buffer.from(newId('user')).toString('base64url') }, 'invalid_cursor'],
  [{ after: `${Buffer.from(newId('key')).toString('base64url')}=` }, 'invalid_cursor'],
])('the page %j is refused', async (args, words) => {
  const { team } = await aTeam(services)
  expect(await refusedAs(page, { id: team.id, ...args })).toBe(words)
})

test('fifteen keys and members with their people, teams and accounts take ten statements at most', async () => {
  const { team } = await aTeam(services)
  const join = async (role: string) => {
    const { id } = await aUser(services)
    await told('mutation ($input: SetTeamMemberInput!) { setTeamMember(input: $input) { role } }', {
      input: { teamId: team.id, userId: id, role },
    })
    await told('mutation ($input: IssueApiKeyInput!) { issueApiKey(input: $input) { value } }', {
      input: { teamId: team.id, userId: id, name: 'k', scopes: ['MCP'] },
    })
  }
  const statements = async () => {
    let count = 0
    const counting = () => {
      count += 1
    }
    services.pool.on('acquire', counting)
    await told(
      `query ($id: ID!) { team(id: $id) {
        apiKeys { nodes { issuedBy { name account { creditsAvailable creditsHeld } } team { name account { creditsHeld } } } }
        members { nodes { team { name } user { name account { creditsAvailable } } } } } }`,
      { id: team.id },
    )
    services.pool.off('acquire', counting)
    return count
  }
  for (let more = 0; more < 15; more++) await join('ADMIN')
  // Nine lists and loaders, fewer when two of them meet, and perhaps the reading of the overrides that comes every few seconds.
  expect(await statements()).toBeLessThanOrEqual(10)
})
