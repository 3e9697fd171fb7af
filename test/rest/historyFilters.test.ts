import { afterAll, expect, test } from 'vitest'
import { issueKey } from '../../src/domain/access/keys/issueKey.ts'
import { recordEditorGeneration } from '../../src/domain/generations/start/recordEditorGeneration.ts'
import { testApp } from '../support/app.ts'
import { aServiceContext, aTeamWithKey, restScopes } from '../support/factories.ts'

// Filters by time also compare identifiers, which contain the real time. With a stopped clock, `createdAt` would contradict them.
const app = await testApp({ clock: 'database' })
afterAll(app.close)
const { services } = app
const operator = aServiceContext(services)

const input = { familyId: 'sandbox-image', prompt: 'a lighthouse' }
const page = (key: string, query = '') => app.ask(`GET /generations${query}`, { key })

test('filters by family, key, source, time and metadata combine', async () => {
  const { value: key, key: firstKey, team, user } = await aTeamWithKey(services)
  const secondKey = await issueKey(operator, { teamId: team.id, userId: user.id, name: 'second', scopes: restScopes })
  const start = async (body: object, asKey = key) => (await app.ask('POST /generations', { key: asKey, body: { ...input, ...body } })).body
  const harbour = await start({ metadata: { project: 'harbour', 'a][b': 'x&y' } })
  const pier = await start({ familyId: 'sandbox-audio', metadata: { project: 'pier' } }, secondKey.value)
  const plain = await start({ reference: 'plain' })
  const edited = await recordEditorGeneration(operator, {
    teamId: team.id,
    userId: user.id,
    familyId: 'notes',
    outputType: 'text',
    state: 'running',
  })
  const listIds = async (query: string) => (await page(key, `?${query}`)).body.items.map(({ generationId }) => generationId).toSorted()
  const idsOf = (...generations: { generationId?: unknown }[]) => generations.map(({ generationId }) => String(generationId)).toSorted()
  expect(await listIds('familyId=sandbox-image')).toEqual(idsOf(harbour, plain))
  expect(await listIds('familyId=nothing')).toEqual([])
  expect(await listIds(`keyId=${secondKey.apiKey.id}`)).toEqual(idsOf(pier))
  expect(await listIds(`keyId=${firstKey.id}&source=rest`)).toEqual(idsOf(harbour, plain))
  expect(await listIds('source=editor')).toEqual(idsOf(edited))
  expect(await listIds('metadata[project]=harbour')).toEqual(idsOf(harbour))
  expect(await listIds('metadata%5Bproject%5D=harbour&metadata[a][b]=x%26y&status=active')).toEqual(idsOf(harbour))
  expect(await listIds('metadata[project]=harbour&familyId=sandbox-audio')).toEqual([])
  expect(await listIds('metadata[__proto__]=harbour')).toEqual([])
  const from = encodeURIComponent(String(pier.createdAt))
  const until = encodeURIComponent(String(plain.createdAt))
  expect(await listIds(`createdAfter=${from}&source=rest`)).toEqual(idsOf(pier, plain))
  expect(await listIds(`createdBefore=${until}&source=rest`)).toEqual(idsOf(harbour, pier))
  expect(await listIds(`createdAfter=${from}&createdBefore=${until}`)).toEqual(idsOf(pier))
  expect(await listIds('createdAfter=2200-01-01T00:00:00%2B02:00')).toEqual([])
  expect(await listIds('createdBefore=0001-01-01T00:00:00Z')).toEqual([])
})

test.each([
  'familyId=sandbox-image',
  'source=rest',
  'createdBefore=2200-01-01T00:00:00Z',
  'createdAfter=2020-01-01T00:00:00.000Z',
  'metadata[a]=b',
])('a cursor of ?%s is valid with that filter alone', async (filter) => {
  const { value: key } = await aTeamWithKey(services)
  for (const number of [1, 2]) await app.ask('POST /generations', { key, body: { ...input, metadata: { a: 'b', number: `${number}` } } })
  const { nextCursor } = (await page(key, `?limit=1&${filter}`)).body
  expect((await page(key, `?limit=1&${filter}&cursor=${nextCursor}`)).body.items).toHaveLength(1)
  for (const other of ['', '&source=mcp', '&createdBefore=2200-01-01T00:00:01Z', '&metadata[a]=c']) {
    expect(await page(key, `?cursor=${nextCursor}${other}`)).toMatchObject({ status: 400, body: { error: { code: 'invalid_cursor' } } })
  }
})

const invalidQueries: [query: string, path: string, code: string][] = [
  ['familyId=', 'familyId', 'too_small'],
  ['keyId=', 'keyId', 'too_small'],
  ['source=web', 'source', 'not_allowed'],
  ['createdAfter=2026-11-20', 'createdAfter', 'bad_format'],
  ['createdAfter=2026-02-30T00:00:00Z', 'createdAfter', 'bad_format'],
  ['createdBefore=2026-11-20T00:00:00', 'createdBefore', 'bad_format'],
  ['createdBefore=0000-01-01T00:00:00Z', 'createdBefore', 'bad_format'],
  ['createdBefore=0001-01-01T00:00:00%2B14:00', 'createdBefore', 'bad_format'],
  ['createdBefore=9999-12-31T23:59:59-23:00', 'createdBefore', 'bad_format'],
  ['metadata=a', 'metadata', 'wrong_type'],
  ['metadata=a&metadata[b]=c', 'metadata', 'conflict'],
  ['metadata[a]=b&metadata[a]=b', 'metadata[a]', 'conflict'],
  ['reference[a]=b', 'reference[a]', 'unknown_field'],
]

test.each(invalidQueries)('?%s is refused at %s with %s', async (query, path, code) => {
  const { value: key } = await aTeamWithKey(services, { credits: 0 })
  expect(await page(key, `?${query}`)).toMatchObject({
    status: 400,
    body: { error: { code: 'invalid_request', details: { issues: [{ in: 'query', path: [path], code }] } } },
  })
})
