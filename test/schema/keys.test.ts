import { afterAll, expect, test } from 'vitest'
import { updateUser } from '../../src/domain/access/people/users.ts'
import { setTeamMember } from '../../src/domain/access/teams/memberships.ts'
import { aServiceContext, aTeamWithKey, aUser } from '../support/factories.ts'
import { testEndpoint } from '../support/http/graphql.ts'
import { aPerson } from '../support/people/aPerson.ts'
import { testServices } from '../support/services.ts'

const { services, close } = await testServices()
const { app, ask: askAsTool } = await testEndpoint(services)
afterAll(async () => {
  await app.close()
  await close()
})
const tool = aServiceContext(services)
const { team, user: owner, key } = await aTeamWithKey(services)

type Issued = { issueApiKey: { value: string; apiKey: { id: string } } }
const issue = 'mutation ($input: IssueApiKeyInput!) { issueApiKey(input: $input) { value apiKey { id } } }'

async function anAdmin() {
  const user = await aUser(services)
  await setTeamMember(tool, { teamId: team.id, userId: user.id, role: 'admin' })
  return { user, ask: aPerson(services, user.id) }
}

test('an administrator issues keys only in their own name, named or not', async () => {
  const { user, ask } = await anAdmin()
  const input = { teamId: team.id, name: 'bot', scopes: ['CATALOG_READ', 'MCP'] }
  for (const userId of [undefined, user.id]) {
    const { data } = await ask<Issued>(issue, { input: { ...input, userId } })
    const { rows } = await services.pool.query('select user_id from api_keys where id = $1', [data?.issueApiKey.apiKey.id])
    expect(rows).toEqual([{ user_id: user.id }])
  }
  expect((await ask(issue, { input: { ...input, userId: owner.id } })).codes).toEqual(['access_denied'])
})

test('only the person issues, changes and revokes their personal key, with an active subscription', async () => {
  const user = await aUser(services, { subscriptionActive: true })
  const ask = aPerson(services, user.id)
  const input = { name: 'agent', scopes: ['MCP'] }
  const { data } = await ask<Issued>(issue, { input })
  const id = data?.issueApiKey.apiKey.id
  const change =
    'mutation ($id: ID!) { updateApiKey(input: { id: $id, name: "mine" }) { name } revokeApiKey(input: { id: $id }) { revokedAt } }'
  expect((await aPerson(services, owner.id)(change, { id })).codes).toEqual(['access_denied'])
  expect((await ask(change, { id })).data).toEqual({ updateApiKey: { name: 'mine' }, revokeApiKey: { revokedAt: expect.any(String) } })
  expect((await ask(issue, { input: { ...input, userId: owner.id } })).codes).toEqual(['access_denied'])
  await updateUser(tool, { id: user.id, subscriptionActive: false })
  expect((await ask(issue, { input })).codes).toEqual(['access_denied'])
})

test('a foreign key, an unknown key and an invalid identifier get the same refusal', async () => {
  const { user } = await aTeamWithKey(services)
  const ask = aPerson(services, user.id)
  for (const id of [key.id, 'key_01jzzzzzzzzzzzzzzzzzzzzzzz', '%']) {
    const { codes } = await ask('mutation ($id: ID!) { revokeApiKey(input: { id: $id }) { id } }', { id })
    expect(codes).toEqual(['access_denied'])
  }
})

const good = { teamId: team.id, name: 'bot', scopes: ['CATALOG_READ'] }
const issuesIn = async (query: string, input: object) => {
  const { errors } = await askAsTool(query, { input })
  const issues = (errors[0]?.extensions.details?.['issues'] ?? []) as { path: string[]; code: string }[]
  return issues.map((issue) => `${issue.path.join('.')}: ${issue.code}`)
}

test.each([
  [{ name: ' ' }, ['name: too_small']],
  [{ name: 'x'.repeat(101) }, ['name: too_long']],
  [{ scopes: [] }, ['scopes: too_small']],
  [{ scopes: ['MCP', 'ACCOUNT_READ', 'MCP'] }, ['scopes: conflict']],
  [{ dailyLimitCredits: -0.01 }, ['dailyLimitCredits: too_small']],
  [{ dailyLimitCredits: 0.005 }, ['dailyLimitCredits: bad_format']],
  [{ singleLimitCredits: 1e9 + 1 }, ['singleLimitCredits: too_big']],
  [{ confirmAboveCredits: 0.001, name: '' }, ['name: too_small', 'confirmAboveCredits: bad_format']],
])('an input of a new key with %j is refused with every issue, and no key is issued', async (change, issues) => {
  const before = await countKeys()
  expect(await issuesIn(issue, { ...good, ...change })).toEqual(issues)
  expect(await countKeys()).toBe(before)
})

test('a refused change or rotation leaves the key unchanged, and a name is stored without white space at its ends', async () => {
  const { key: own } = await aTeamWithKey(services)
  const update = 'mutation ($input: UpdateApiKeyInput!) { updateApiKey(input: $input) { name dailyLimitCredits } }'
  const rotate = 'mutation ($input: RotateApiKeyInput!) { rotateApiKey(input: $input) { value } }'
  expect(await issuesIn(update, { id: own.id, name: 'other', dailyLimitCredits: 0.001 })).toEqual(['dailyLimitCredits: bad_format'])
  expect(await issuesIn(rotate, { id: own.id, overlapHours: -1 })).toEqual(['overlapHours: too_small'])
  expect(await issuesIn(rotate, { id: own.id, overlapHours: 169 })).toEqual(['overlapHours: too_big'])
  const { rows } = await services.pool.query('select name, hash from api_keys where id = $1', [own.id])
  expect(rows).toEqual([{ name: 'test key', hash: own.hash }])
  const { data } = await askAsTool(update, { input: { id: own.id, name: ' renamed ', dailyLimitCredits: 2.5 } })
  expect(data).toEqual({ updateApiKey: { name: 'renamed', dailyLimitCredits: 2.5 } })
})

async function countKeys(): Promise<number> {
  return (await services.pool.query('select count(*)::integer as count from api_keys')).rows[0].count
}
