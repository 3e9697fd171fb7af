import { afterAll, expect, test } from 'vitest'
import { testApp } from '../support/app.ts'
import { aTeamWithKey } from '../support/factories.ts'
import { generationTransitions } from '../support/generations/generationTransitions.ts'

const app = await testApp()
afterAll(app.close)
const moves = generationTransitions(app.services)
const { value: key } = await aTeamWithKey(app.services)

const work = { familyId: 'sandbox-image', prompt: 'a lighthouse' }
const start = (own: Record<string, unknown>, name?: string) =>
  app.ask('POST /generations', { key, body: { ...work, ...own }, headers: name === undefined ? {} : { 'idempotency-key': name } })

const own = {
  reference: ' order 4711\n<b>😀</b> ',
  metadata: {
    project: 'harbour',
    empty: '',
    ['😀'.repeat(40)]: '😀'.repeat(500),
    constructor: "'; drop table files; --",
    ['__proto__']: 'kept',
  },
}

test('a reference and metadata are returned unchanged, from start to end and in a repeat', async () => {
  const first = await start(own, 'own')
  expect(first).toMatchObject({ status: 201, body: { replayed: false } })
  const id = first.body.generationId
  const repeated = await start({ metadata: own.metadata, reference: own.reference }, 'own')
  await moves.begin(id)
  await moves.gather(id)
  await moves.finish(id, Buffer.from('bytes'))
  const read = await app.ask(`GET /generations/${id}`, { key })
  const [listed] = (await app.ask('GET /generations', { key })).body.items
  expect([repeated.body.replayed, read.body.state]).toEqual([true, 'ready'])
  for (const shown of [first.body, repeated.body, read.body, listed]) {
    expect(shown?.reference).toBe(own.reference)
    expect(new Map(Object.entries(shown?.metadata ?? {}))).toEqual(new Map(Object.entries(own.metadata)))
  }
})

test('they are null and empty when absent in the request', async () => {
  expect(await start({})).toMatchObject({ status: 201, body: { reference: null, metadata: {} } })
  expect((await start({ metadata: {} })).body).toMatchObject({ metadata: {} })
})

test('a repeat of a start by the previous release has null and empty metadata', async () => {
  const { body } = await start({}, 'before')
  await app.services.pool.query("update idempotency_records set response = response - 'reference' - 'metadata' where generation_id = $1", [
    body.generationId,
  ])
  expect((await start({}, 'before')).body).toMatchObject({ generationId: body.generationId, replayed: true, reference: null, metadata: {} })
})

test('a request with another reference or other metadata is another request', async () => {
  await start(own, 'other')
  for (const other of [
    { ...own, reference: 'order 4712' },
    { ...own, metadata: { project: 'harbours' } },
    { reference: own.reference },
    {},
  ]) {
    expect(await start(other, 'other')).toMatchObject({ status: 409, body: { error: { code: 'idempotency_conflict' } } })
  }
})

/** Of all pages, which lead through the list once. */
async function idsOf(by: string, query: string): Promise<unknown[]> {
  const seen: unknown[] = []
  for (let cursor: string | null = ''; cursor !== null; ) {
    const { body } = await app.ask(`GET /generations?${query}${cursor === '' ? '' : `&cursor=${cursor}`}`, { key: by })
    seen.push(...body.items.map(({ generationId }) => generationId))
    cursor = body.nextCursor
  }
  return seen
}

test("a reference filters the team's history for exactly that text, alone or with a status", async () => {
  const { value: key } = await aTeamWithKey(app.services)
  const stranger = await aTeamWithKey(app.services)
  const startAs = async (reference?: string, by = key) =>
    String(
      (await app.ask('POST /generations', { key: by, body: { ...work, ...(reference === undefined ? {} : { reference }) } })).body
        .generationId,
    )
  const awkward = 'a|b %_*😀 '
  const [first, second, third] = [await startAs(awkward), await startAs(awkward), await startAs(awkward)]
  for (const other of [undefined, 'A|b %_*😀 ', 'a|b %_*😀', 'a']) await startAs(other)
  await startAs(awkward, stranger.value)
  await moves.fail(second)
  const query = `reference=${encodeURIComponent(awkward)}`
  expect(await idsOf(key, query)).toEqual([third, second, first])
  expect(await idsOf(key, `${query}&limit=1`)).toEqual([third, second, first])
  expect(await idsOf(key, `${query}&limit=1&status=active`)).toEqual([third, first])
  expect(await idsOf(key, `${query}&status=failed`)).toEqual([second])
  expect(await idsOf(key, 'reference=unknown')).toEqual([])
})

const many = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, index) => [`name ${index}`, 'x']))

test('values at the limits are accepted', async () => {
  const fullest = { reference: '😀'.repeat(200), metadata: many(20) }
  expect(await start(fullest)).toMatchObject({ status: 201, body: fullest })
  expect(await app.ask('POST /generations/estimate', { key, body: { ...work, ...fullest } })).toMatchObject({ status: 200 })
})

const faults = [
  ['an empty reference', { reference: '' }, 'too_small', ['reference']],
  ['a reference of 201 characters', { reference: 'x'.repeat(201) }, 'too_long', ['reference']],
  ['a reference of 201 characters of two units each', { reference: '😀'.repeat(201) }, 'too_long', ['reference']],
  ['a reference that is no text', { reference: 7 }, 'wrong_type', ['reference']],
  ['a reference of null', { reference: null }, 'wrong_type', ['reference']],
  ['a NUL in a reference', { reference: 'a\0' }, 'bad_format', ['reference']],
  ['half of a surrogate pair in a reference', { reference: '\ud800' }, 'bad_format', ['reference']],
  ['metadata that are a list', { metadata: [] }, 'wrong_type', ['metadata']],
  ['metadata of null', { metadata: null }, 'wrong_type', ['metadata']],
  ['21 entries', { metadata: many(21) }, 'too_big', ['metadata']],
  ['an empty name', { metadata: { '': 'x' } }, 'too_small', ['metadata', '']],
  ['a name of 41 characters', { metadata: { ['x'.repeat(41)]: 'x' } }, 'too_long', ['metadata', 'x'.repeat(41)]],
  ['a name of 41 characters of two units each', { metadata: { ['😀'.repeat(41)]: 'x' } }, 'too_long', ['metadata', '😀'.repeat(41)]],
  ['a NUL in a name', { metadata: { 'a\0': 'x' } }, 'bad_format', ['metadata']],
  ['a value of 501 characters', { metadata: { a: 'x'.repeat(501) } }, 'too_long', ['metadata', 'a']],
  ['a value that is no text', { metadata: { a: 'x', b: 7 } }, 'wrong_type', ['metadata', 'b']],
  ['a value that is an object', { metadata: { a: {} } }, 'wrong_type', ['metadata', 'a']],
  ['a NUL in a value', { metadata: { a: '\0' } }, 'bad_format', ['metadata', 'a']],
  ['half of a surrogate pair in a name', { metadata: { '\udc00': 'x' } }, 'bad_format', ['metadata']],
] as const

test.each(faults)('%s is refused by start and estimate alike', async (_, faulty, code, path) => {
  for (const path_ of ['POST /generations', 'POST /generations/estimate']) {
    expect(await app.ask(path_, { key, body: { ...work, ...faulty } })).toMatchObject({
      status: 400,
      body: { error: { code: 'invalid_request', details: { issues: [{ in: 'body', path, code }] } } },
    })
  }
})
