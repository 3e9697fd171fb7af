import { afterAll, expect, test } from 'vitest'
import { createUser, updateUser } from '../../../src/domain/access/people/users.ts'
import { createTeam } from '../../../src/domain/access/teams/teams.ts'
import { aServiceContext } from '../../support/factories.ts'
import { testEndpoint } from '../../support/http/graphql.ts'
import { testServices } from '../../support/services.ts'

const { services, close } = await testServices()
const { app, ask, dataOf } = await testEndpoint(services)
afterAll(async () => {
  await app.close()
  await close()
})
const context = aServiceContext(services)

const first = await createTeam(context, { name: 'Studio 100%' })
const second = await createTeam(context, { name: 'studio_two' })
const ada = await createUser(context, { email: 'Ada@Example.test', name: 'Ada Lovelace' })
const grace = await createUser(context, { email: 'grace@example.test', name: 'Grace' })

type Page = { nodes: { id: string }[]; pageInfo: { hasNextPage: boolean; endCursor: string } }

async function ids(list: 'teams' | 'users', variables: { search?: string; first?: number; after?: string }): Promise<string[]> {
  const query = `query ($search: String, $first: Int, $after: String) { page: ${list}(search: $search, first: $first, after: $after) { nodes { id } } }`
  return (await dataOf<{ page: Page }>(query, variables)).page.nodes.map(({ id }) => id)
}

test('teams are found by a part of their name in any case, or by their identifier', async () => {
  expect(await ids('teams', {})).toEqual([second.id, first.id])
  expect(await ids('teams', { search: 'STUDIO' })).toEqual([second.id, first.id])
  expect(await ids('teams', { search: '100%' })).toEqual([first.id])
  expect(await ids('teams', { search: 'o_t' })).toEqual([second.id])
  expect(await ids('teams', { search: first.id })).toEqual([first.id])
  expect(await ids('teams', { search: 'nobody' })).toEqual([])
})

test('people are found by a part of their name or address, or by their identifier', async () => {
  expect(await ids('users', { search: 'example' })).toEqual([grace.id, ada.id])
  expect(await ids('users', { search: 'lovelace' })).toEqual([ada.id])
  expect(await ids('users', { search: ada.id })).toEqual([ada.id])
})

test('the lists continue after a cursor', async () => {
  const query = '{ teams(first: 1) { nodes { id } pageInfo { hasNextPage endCursor } } }'
  const { teams } = await dataOf<{ teams: Page }>(query)
  expect([teams.nodes[0]?.id, teams.pageInfo.hasNextPage]).toEqual([second.id, true])
  expect(await ids('teams', { first: 1, after: teams.pageInfo.endCursor })).toEqual([first.id])
})

test('a person is found by e-mail address in any case', async () => {
  expect(await dataOf('{ user(email: " ada@EXAMPLE.test") { id } }')).toEqual({ user: { id: ada.id } })
  expect(await dataOf('{ user(email: "nobody@example.test") { id } }')).toEqual({ user: null })
})

test('a deleted person is not found', async () => {
  const gone = await createUser(context, { email: 'gone@example.test', name: 'Gone' })
  await updateUser(context, { id: gone.id, name: 'Going' })
  await dataOf(`mutation { deleteUser(input: { userId: "${gone.id}" }) }`)
  expect(await ids('users', { search: 'going' })).toEqual([])
  expect(await dataOf('{ user(email: "gone@example.test") { id } }')).toEqual({ user: null })
})

test('a search that PostgreSQL cannot store is refused', async () => {
  const { errors } = await ask('query ($search: String) { users(search: $search) { nodes { id } } }', { search: 'a\0' })
  expect(errors[0]?.extensions).toMatchObject({ code: 'invalid_request' })
})

test.each([
  ['{ user { id } }', 'id', 'required'],
  [`{ user(id: "${ada.id}", email: "ada@example.test") { id } }`, 'id', 'conflict'],
  [`{ teams(search: "${'x'.repeat(255)}") { nodes { id } } }`, 'search', 'too_long'],
  ['{ teams(first: 51) { nodes { id } } }', 'first', 'too_big'],
])('%s is refused', async (query, field, code) => {
  const { errors } = await ask(query)
  expect(errors[0]?.extensions).toMatchObject({ code: 'invalid_request', details: { issues: [{ path: [field], code }] } })
})
