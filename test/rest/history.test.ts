import { afterAll, expect, test } from 'vitest'
import { issueKey } from '../../src/domain/access/keys/issueKey.ts'
import { recordEditorGeneration } from '../../src/domain/generations/start/recordEditorGeneration.ts'
import { testApp } from '../support/app.ts'
import { aServiceContext, aTeamWithKey, restScopes } from '../support/factories.ts'
import { generationTransitions } from '../support/generations/generationTransitions.ts'

const app = await testApp()
afterAll(app.close)
const { services } = app
const operator = aServiceContext(services)
const moves = generationTransitions(services)

const work = { familyId: 'sandbox-image', prompt: 'a lighthouse' }

async function starts(key: string, count: number): Promise<string[]> {
  const answers = await Promise.all(Array.from({ length: count }, () => app.ask('POST /generations', { key, body: work })))
  return answers.map(({ body }) => body.generationId)
}

const page = (key: string, query = '') => app.ask(`GET /generations${query}`, { key })

async function walk(key: string, query: string, between: () => Promise<unknown> = async () => undefined): Promise<string[]> {
  const seen: string[] = []
  for (let cursor: string | null = ''; cursor !== null; ) {
    const { status, body } = await page(key, `?${query}${cursor === '' ? '' : `&cursor=${cursor}`}`)
    expect(status).toBe(200)
    seen.push(...body.items.map(({ generationId }) => generationId))
    cursor = body.nextCursor
    await between()
  }
  return seen
}

test('an empty history is a page without entries', async () => {
  const { value: key } = await aTeamWithKey(services)
  expect(await page(key)).toMatchObject({ status: 200, body: { items: [], nextCursor: null } })
})

test('the history has pages of 50, newest first, with each generation once', async () => {
  const { value: key } = await aTeamWithKey(services)
  const ids = await starts(key, 120)
  const first = await page(key)
  expect(first.body.items).toHaveLength(50)
  expect(first.body.nextCursor).toEqual(expect.any(String))
  const seen = await walk(key, '')
  expect(seen).toEqual(ids.toSorted().toReversed())
  expect(await walk(key, 'limit=7')).toEqual(seen)
})

test('a page that ends with the last entry has no next cursor', async () => {
  const { value: key } = await aTeamWithKey(services)
  await starts(key, 10)
  expect((await page(key, '?limit=10')).body.nextCursor).toBeNull()
  expect((await page(key, '?limit=9')).body.nextCursor).toEqual(expect.any(String))
})

test('starts during paging neither shift the pages nor leave gaps', async () => {
  const { value: key } = await aTeamWithKey(services)
  const ids = await starts(key, 30)
  const seen = await walk(key, 'limit=4', () => starts(key, 3))
  expect(seen).toEqual(ids.toSorted().toReversed())
})

test('a status filters the history', async () => {
  const { value: key, team, user } = await aTeamWithKey(services)
  const [queued, running, finalizing, ready, failed, cancelled] = (await starts(key, 6)) as [string, string, string, string, string, string]
  await moves.begin(running)
  for (const id of [finalizing, ready]) {
    await moves.begin(id)
    await moves.gather(id)
  }
  await moves.finish(ready, Buffer.from('bytes'))
  await moves.fail(failed)
  await app.ask(`POST /generations/${cancelled}/cancel`, { key })
  const edited = await recordEditorGeneration(operator, {
    teamId: team.id,
    userId: user.id,
    familyId: 'notes',
    outputType: 'text',
    state: 'ready',
    text: 'A text.',
  })
  const ids = async (query: string) => (await page(key, query)).body.items.map(({ generationId }) => generationId).toSorted()
  expect(await ids('?status=active')).toEqual([queued, running, finalizing].toSorted())
  expect(await ids('?status=ready')).toEqual([ready, String(edited['generationId'])].toSorted())
  expect(await ids('?status=failed')).toEqual([failed])
  expect(await ids('?status=cancelled')).toEqual([cancelled])
  expect(await ids('')).toHaveLength(7)
})

test('an entry equals the response of GET', async () => {
  const { value: key, team, user } = await aTeamWithKey(services)
  const [ready, failed] = (await starts(key, 2)) as [string, string]
  await moves.begin(ready)
  await moves.gather(ready)
  await moves.finish(ready, Buffer.from('bytes'))
  await moves.fail(failed, { code: 'prompt_validation', reason: 'prompt_too_long', details: { maxLength: 10, actualLength: 12 } })
  await recordEditorGeneration(operator, {
    teamId: team.id,
    userId: user.id,
    familyId: 'notes',
    outputType: 'text',
    state: 'ready',
    text: 'A text.',
  })
  const { items } = (await page(key)).body
  expect(items).toHaveLength(3)
  for (const item of items) {
    const alone = (await app.ask(`GET /generations/${item.generationId}`, { key })).body
    const withoutLink = ({ result, ...rest }: typeof item) => ({ ...rest, result: result && { ...result, url: 'a link' } })
    expect(withoutLink(item)).toEqual(withoutLink(alone))
  }
  expect(items.find(({ outputType }) => outputType === 'text')).toMatchObject({
    result: { type: 'text', text: 'A text.' },
    reusableAs: [],
    source: 'editor',
  })
})

test('it is shared by all keys of the team', async () => {
  const { value: key, team } = await aTeamWithKey(services)
  const second = await issueKey(operator, { teamId: team.id, name: 'second', scopes: restScopes })
  const ids = await starts(key, 2)
  expect(await walk(second.value, 'limit=1')).toEqual(ids.toSorted().toReversed())
})

test('a cursor that was not issued for this list is refused', async () => {
  const { value: key } = await aTeamWithKey(services)
  const stranger = await aTeamWithKey(services)
  await starts(key, 3)
  for (const reference of ['order', 'order']) await app.ask('POST /generations', { key, body: { ...work, reference } })
  await starts(stranger.value, 3)
  const cursor = String((await page(key, '?limit=1')).body.nextCursor)
  const ofStatus = String((await page(key, '?limit=1&status=active')).body.nextCursor)
  const ofReference = String((await page(key, '?limit=1&reference=order')).body.nextCursor)
  const foreign = String((await page(stranger.value, '?limit=1')).body.nextCursor)
  const flipped = `${cursor.slice(0, 20)}${cursor[20] === 'A' ? 'B' : 'A'}${cursor.slice(21)}`
  const faulty = [
    '?cursor=',
    '?cursor=abc',
    `?cursor=${flipped}`,
    `?cursor=${cursor.slice(0, -1)}`,
    `?cursor=${cursor}A`,
    `?cursor=${cursor}=`,
    `?cursor=%20${cursor}`,
    `?cursor=${cursor.toLowerCase()}`,
    `?cursor=${foreign}`,
    `?cursor=${ofStatus}`,
    `?cursor=${cursor}&status=active`,
    `?cursor=${ofStatus}&status=ready`,
    `?cursor=${ofReference}`,
    `?cursor=${ofReference}&reference=orders`,
    `?cursor=${cursor}&reference=order`,
    `?cursor=${'A'.repeat(10_000)}`,
    `?cursor=${encodeURIComponent("' or 1=1 --")}`,
  ]
  for (const query of faulty) {
    expect(await page(key, query)).toMatchObject({ status: 400, body: { error: { code: 'invalid_cursor', retryable: false } } })
  }
  expect((await page(key, `?cursor=${cursor}&limit=50`)).status).toBe(200)
  expect((await page(key, `?status=active&cursor=${ofStatus}`)).status).toBe(200)
  expect((await page(key, `?reference=order&cursor=${ofReference}`)).body).toMatchObject({
    items: [{ reference: 'order' }],
    nextCursor: null,
  })
})

const queries: [query: string, path: string, code: string][] = [
  ['limit=0', 'limit', 'too_small'],
  ['limit=51', 'limit', 'too_big'],
  ['limit=99999999999999999999', 'limit', 'too_big'],
  ['limit=1e1', 'limit', 'wrong_type'],
  ['limit=0x10', 'limit', 'wrong_type'],
  ['limit=%2B5', 'limit', 'wrong_type'],
  ['limit=+5', 'limit', 'wrong_type'],
  ['limit=%205', 'limit', 'wrong_type'],
  ['limit=5.0', 'limit', 'wrong_type'],
  ['limit=-1', 'limit', 'wrong_type'],
  ['limit=', 'limit', 'wrong_type'],
  ['limit', 'limit', 'wrong_type'],
  ['limit=%D9%A3', 'limit', 'wrong_type'],
  ['limit=1&limit=1', 'limit', 'conflict'],
  ['limit[]=1', 'limit[]', 'unknown_field'],
  ['status=done', 'status', 'not_allowed'],
  ['status=READY', 'status', 'not_allowed'],
  ['status=ready,failed', 'status', 'not_allowed'],
  ['reference=', 'reference', 'too_small'],
  [`reference=${'x'.repeat(201)}`, 'reference', 'too_long'],
  [`reference=${encodeURIComponent('😀'.repeat(201))}`, 'reference', 'too_long'],
  ['reference=%00', 'reference', 'bad_format'],
  ['reference=a&reference=a', 'reference', 'conflict'],
  ['page=2', 'page', 'unknown_field'],
  ['__proto__=1', '__proto__', 'unknown_field'],
]

test.each(queries)('?%s is refused at %s with %s', async (query, path, code) => {
  const { value: key } = await aTeamWithKey(services, { credits: 0 })
  expect(await page(key, `?${query}`)).toMatchObject({
    status: 400,
    body: { error: { code: 'invalid_request', details: { issues: [{ in: 'query', path: [path], code }] } } },
  })
})

test('the first identifier of a page sorts right under the collations that databases come with', async () => {
  const { rows } = await services.pool.query(
    `select 'gen_7zzzzzzzzzzzzzzzzzzzzzzzzz' < 'gen_8' collate "en-US-x-icu" as icu, 'gen_7zzzzzzzzzzzzzzzzzzzzzzzzz' < 'gen_8' collate "C" as plain`,
  )
  expect(rows).toEqual([{ icu: true, plain: true }])
})
