import { afterAll, expect, test } from 'vitest'
import { updateUser } from '../../src/domain/access/people/users.ts'
import { setTeamMember } from '../../src/domain/access/teams/memberships.ts'
import { aServiceContext, aTeamWithKey, aUser } from '../support/factories.ts'
import { aPerson } from '../support/people/aPerson.ts'
import { testServices } from '../support/services.ts'

const { services, close } = await testServices()
afterAll(close)
const tool = aServiceContext(services)
const { team, user: owner, key } = await aTeamWithKey(services)

type Issued = { issueApiKey: { value: string; apiKey: { id: string } } }
const issue = 'mutation ($input: IssueApiKeyInput!) { issueApiKey(input: $input) { value apiKey { id } } }'

async function anAdmin() {
  const user = await aUser(services)
  await setTeamMember(tool, { teamId: team.id, userId: user.id, role: 'admin' })
  return { user, ask: aPerson(services, user.id) }
}

test('an administrator issues keys in their own name, whether they say so or not, and in nobody else’s', async () => {
  const { user, ask } = await anAdmin()
  const input = { teamId: team.id, name: 'bot', scopes: ['CATALOG_READ', 'MCP'] }
  for (const userId of [undefined, user.id]) {
    const { data } = await ask<Issued>(issue, { input: { ...input, userId } })
    const { rows } = await services.pool.query('select user_id from api_keys where id = $1', [data?.issueApiKey.apiKey.id])
    expect(rows).toEqual([{ user_id: user.id }])
  }
  expect((await ask(issue, { input: { ...input, userId: owner.id } })).codes).toEqual(['access_denied'])
})

test('a person issues, changes and revokes their own key for agents while their subscription is active, and nobody else does', async () => {
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

test('another team’s key, an unknown one and what is no identifier are refused alike', async () => {
  const { user } = await aTeamWithKey(services)
  const ask = aPerson(services, user.id)
  for (const id of [key.id, 'key_01jzzzzzzzzzzzzzzzzzzzzzzz', '%']) {
    const { codes } = await ask('mutation ($id: ID!) { revokeApiKey(input: { id: $id }) { id } }', { id })
    expect(codes).toEqual(['access_denied'])
  }
})
