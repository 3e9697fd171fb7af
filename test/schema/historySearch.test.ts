import { afterAll, expect, test } from 'vitest'
import { startGeneration } from '../../src/domain/generations/start/startGeneration.ts'
import { aTeamWithKey } from '../support/factories.ts'
import { testEndpoint } from '../support/http/graphql.ts'
import { testServices } from '../support/services.ts'

const { services, close } = await testServices()
afterAll(close)
const endpoint = await testEndpoint(services)
const own = await aTeamWithKey(services)

async function aStart(prompt: string, reference?: string): Promise<string> {
  const request = { familyId: 'sandbox-image', prompt, reference }
  return String((await startGeneration(own.context, own.spender, { request, idempotencyKey: undefined })).generation['generationId'])
}

const query = `query ($team: ID!, $search: String, $user: ID, $after: String, $first: Int) { team(id: $team) {
  generations(search: $search, userId: $user, after: $after, first: $first) { nodes { generationId } pageInfo { endCursor hasNextPage } }
} }`
type Page = { nodes: { generationId: string }[]; pageInfo: { endCursor: string; hasNextPage: boolean } }

async function found(variables: Record<string, unknown>): Promise<Page> {
  const { data, errors } = await endpoint.ask(query, { team: own.team.id, ...variables })
  if (errors[0]) throw new Error(errors[0].extensions.code)
  return (data as { team: { generations: Page } }).team.generations
}
const idsOf = ({ nodes }: Page) => nodes.map(({ generationId }) => generationId)

const lighthouse = await aStart('A Lighthouse at dusk')
const percent = await aStart('100% wool', 'order 4711')
const door = await aStart('a door')

test('a search finds parts of prompts and references, in any case and literally', async () => {
  expect(idsOf(await found({ search: 'LIGHT' }))).toEqual([lighthouse])
  expect(idsOf(await found({ search: '4711' }))).toEqual([percent])
  expect(idsOf(await found({ search: '%' }))).toEqual([percent])
  expect(idsOf(await found({ search: '' }))).toEqual([door, percent, lighthouse])
  expect(idsOf(await found({ search: '_' }))).toEqual([])
})

test('a cursor belongs to its search and person', async () => {
  const first = await found({ search: 'a', user: own.user.id, first: 1 })
  expect(idsOf(first)).toEqual([door])
  const next = { search: 'a', user: own.user.id, first: 1, after: first.pageInfo.endCursor }
  expect(idsOf(await found(next))).toEqual([lighthouse])
  await expect(found({ ...next, search: 'b' })).rejects.toThrow('invalid_cursor')
  await expect(found({ ...next, user: null })).rejects.toThrow('invalid_cursor')
  expect(idsOf(await found({ user: 'user_nobody' }))).toEqual([])
})

test('a search that is too long or has a NUL is refused', async () => {
  for (const search of ['x'.repeat(201), 'a\u0000b']) await expect(found({ search })).rejects.toThrow('invalid_request')
})
