import { afterAll, expect, test } from 'vitest'
import { issueKey } from '../../src/domain/access/keys/issueKey.ts'
import { recordEditorGeneration } from '../../src/domain/generations/start/recordEditorGeneration.ts'
import { testApp } from '../support/app.ts'
import { aServiceContext, aTeamWithKey, restScopes } from '../support/factories.ts'

// Identifiers have the time of the process, so that a clock that stands still would not fit them.
const app = await testApp({ clock: 'database' })
afterAll(app.close)
const { services } = app
const operator = aServiceContext(services)

const work = { familyId: 'sandbox-image', prompt: 'a lighthouse' }
const page = (key: string, query = '') => app.ask(`GET /generations${query}`, { key })

test('filters by family, key, source, time and metadata combine', async () => {
  const { value: key, key: first, team, user } = await aTeamWithKey(services)
  const second = await issueKey(operator, { teamId: team.id, userId: user.id, name: 'second', scopes: restScopes })
  const started = async (body: object, by = key) => (await app.ask('POST /generations', { key: by, body: { ...work, ...body } })).body
  const harbour = await started({ metadata: { project: 'harbour', 'a][b': 'x&y' } })
  const pier = await started({ familyId: 'sandbox-audio', metadata: { project: 'pier' } }, second.value)
  const plain = await started({ reference: 'plain' })
  const edited = await recordEditorGeneration(operator, {
    teamId: team.id,
    userId: user.id,
    familyId: 'notes',
    outputType: 'text',
    state: 'running',
  })
  const ids = async (query: string) => (await page(key, `?${query}`)).body.items.map(({ generationId }) => generationId).toSorted()
  const those = (...generations: { generationId?: unknown }[]) => generations.map(({ generationId }) => String(generationId)).toSorted()
  expect(await ids('familyId=sandbox-image')).toEqual(those(harbour, plain))
  expect(await ids('familyId=nothing')).toEqual([])
  expect(await ids(`keyId=${second.apiKey.id}`)).toEqual(those(pier))
  expect(await ids(`keyId=${first.id}&source=rest`)).toEqual(those(harbour, plain))
  expect(await ids('source=editor')).toEqual(those(edited))
  expect(await ids('metadata[project]=harbour')).toEqual(those(harbour))
  expect(await ids('metadata%5Bproject%5D=harbour&metadata[a][b]=x%26y&status=active')).toEqual(those(harbour))
  expect(await ids('metadata[project]=harbour&familyId=sandbox-audio')).toEqual([])
  expect(await ids('metadata[__proto__]=harbour')).toEqual([])
  const from = encodeURIComponent(String(pier.createdAt))
  const until = encodeURIComponent(String(plain.createdAt))
  expect(await ids(`createdAfter=${from}&source=rest`)).toEqual(those(pier, plain))
  expect(await ids(`createdBefore=${until}&source=rest`)).toEqual(those(harbour, pier))
  expect(await ids(`createdAfter=${from}&createdBefore=${until}`)).toEqual(those(pier))
  expect(await ids('createdAfter=2200-01-01T00:00:00%2B02:00')).toEqual([])
  expect(await ids('createdBefore=0001-01-01T00:00:00Z')).toEqual([])
})

test.each([
  'familyId=sandbox-image',
  'source=rest',
  'createdBefore=2200-01-01T00:00:00Z',
  'createdAfter=2020-01-01T00:00:00.000Z',
  'metadata[a]=b',
])('a cursor of ?%s is valid with that filter alone', async (filter) => {
  const { value: key } = await aTeamWithKey(services)
  for (const each of [1, 2]) await app.ask('POST /generations', { key, body: { ...work, metadata: { a: 'b', each: `${each}` } } })
  const { nextCursor } = (await page(key, `?limit=1&${filter}`)).body
  expect((await page(key, `?limit=1&${filter}&cursor=${nextCursor}`)).body.items).toHaveLength(1)
  for (const other of ['', '&source=mcp', '&createdBefore=2200-01-01T00:00:01Z', '&metadata[a]=c']) {
    expect(await page(key, `?cursor=${nextCursor}${other}`)).toMatchObject({ status: 400, body: { error: { code: 'invalid_cursor' } } })
  }
})

const faulty: [query: string, path: string, code: string][] = [
  ['familyId=', 'familyId', 'too_small'],
  ['keyId=', 'keyId', 'too_small'],
  ['source=web', 'source', 'not_allowed'],
  ['createdAfter=2026-11-20', 'createdAfter', 'bad_format'],
  ['createdAfter=2026-02-30T00:00:00Z', 'createdAfter', 'bad_format'],
  ['createdBefore=2026-11-20T00:00:00', 'createdBefore', 'bad_format'],
  ['createdBefore=0000-01-01T00:00:00Z', 'createdBefore', 'bad_format'],
  ['metadata=a', 'metadata', 'wrong_type'],
  ['metadata=a&metadata[b]=c', 'metadata', 'conflict'],
  ['metadata[a]=b&metadata[a]=b', 'metadata[a]', 'conflict'],
  ['reference[a]=b', 'reference[a]', 'unknown_field'],
]

test.each(faulty)('?%s is refused at %s with %s', async (query, path, code) => {
  const { value: key } = await aTeamWithKey(services, { credits: 0 })
  expect(await page(key, `?${query}`)).toMatchObject({
    status: 400,
    body: { error: { code: 'invalid_request', details: { issues: [{ in: 'query', path: [path], code }] } } },
  })
})
