import { afterAll, expect, test } from 'vitest'
import { newId } from '../../src/contract/ids.ts'
import { aTeam, aUser } from '../support/factories.ts'
import { testEndpoint } from '../support/http/graphql.ts'
import { testServices } from '../support/services.ts'

const { services, close } = await testServices()
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

const page = `query ($id: ID!, $first: Int, $after: String, $last: Int, $before: String) {
  team(id: $id) { apiKeys(first: $first, after: $after, last: $last, before: $before) { nodes { name } edges { cursor } pageInfo { hasNextPage hasPreviousPage startCursor endCursor } } } }`

test('a list pages in both directions by its cursors, and new entries do not shift the pages', async () => {
  const { team } = await aTeam(services)
  const issue = (name: string) =>
    dataOf('mutation ($input: IssueApiKeyInput!) { issueApiKey(input: $input) { value } }', {
      input: { teamId: team.id, name, scopes: ['MCP'] },
    })
  for (const name of ['a', 'b', 'c', 'd', 'e']) await issue(name)
  const read = async (args: Record<string, unknown>) => {
    type Page = { nodes: { name: string }[]; pageInfo: Record<string, unknown> }
    const { nodes, pageInfo } = (await dataOf<{ team: { apiKeys: Page } }>(page, { id: team.id, ...args })).team.apiKeys
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

test('15 keys and members with their people, teams and accounts take at most ten statements', async () => {
  const { team } = await aTeam(services)
  const join = async (role: string) => {
    const { id } = await aUser(services)
    await dataOf('mutation ($input: SetTeamMemberInput!) { setTeamMember(input: $input) { role } }', {
      input: { teamId: team.id, userId: id, role },
    })
    await dataOf('mutation ($input: IssueApiKeyInput!) { issueApiKey(input: $input) { value } }', {
      input: { teamId: team.id, userId: id, name: 'k', scopes: ['MCP'] },
    })
  }
  const statements = async () => {
    let count = 0
    const counting = () => {
      count += 1
    }
    services.pool.on('acquire', counting)
    await dataOf(
      `query ($id: ID!) { team(id: $id) {
        apiKeys { nodes { issuedBy { name account { creditsAvailable creditsHeld } } team { name account { creditsHeld } } } }
        members { nodes { team { name } user { name account { creditsAvailable } } } } } }`,
      { id: team.id },
    )
    services.pool.off('acquire', counting)
    return count
  }
  for (let more = 0; more < 15; more++) await join('ADMIN')
  // Nine lists and loaders, fewer if two are batched, and possibly the periodic read of the family overrides.
  expect(await statements()).toBeLessThanOrEqual(10)
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
