import { afterAll, expect, test } from 'vitest'
import { recordEditorGeneration } from '../../src/domain/generations/start/recordEditorGeneration.ts'
import { testApp } from '../support/app.ts'
import { aServiceContext, aTeamWithKey } from '../support/factories.ts'
import { generationTransitions } from '../support/generations/generationTransitions.ts'

const app = await testApp()
afterAll(app.close)
const { services, clock } = app
const moves = generationTransitions(services)
const own = await aTeamWithKey(services)
const other = await aTeamWithKey(services)
const { value: key } = own
const operator = aServiceContext(services)

async function aStart(body: object = {}): Promise<string> {
  const request = { familyId: 'sandbox-image', prompt: 'a lighthouse', ...body }
  return (await app.ask('POST /generations', { key, body: request })).body.generationId
}

async function aReady(): Promise<string> {
  const id = await aStart()
  await moves.begin(id)
  await moves.gather(id)
  await moves.finish(id, Buffer.from('bytes of an image'))
  return id
}

const read = async (id: string) => (await app.ask(`GET /generations/${id}`, { key })).body
const remove = (id: string, by = key) => app.ask(`DELETE /generations/${id}/result`, { key: by })
const deleted = (deletedAt: string) => ({
  ...{ type: 'image', url: null, urlExpiresAt: null, mimeType: null, sizeBytes: null, width: null, height: null, durationSeconds: null },
  deletedAt,
})

test('a generation with a deleted result stays with deletedAt, also in every list', async () => {
  const id = await aReady()
  const before = await read(id)
  const answer = await remove(id)
  expect([answer.status, answer.text]).toEqual([204, ''])
  const now = await read(id)
  expect(now).toEqual({ ...before, result: deleted(clock.now().toISOString()), reusableAs: [] })
  expect((await app.ask('GET /generations?limit=1', { key })).body.items).toEqual([now])
})

test('every link stops working at once: older links, ranges, cached copies and links of other keys', async () => {
  const id = await aReady()
  const url = String((await read(id)).result?.url)
  const { etag } = (await app.ask(`GET ${url}`)).headers
  await remove(id)
  for (const headers of [{}, { range: 'bytes=0-3' }, { 'if-none-match': String(etag) }])
    expect(await app.ask(`GET ${url}`, { headers })).toMatchObject({ status: 404, body: { error: { code: 'not_found' } } })
  expect((await app.ask(`HEAD ${url}`)).status).toBe(404)
})

test('a repeat changes nothing, and deletedAt stays', async () => {
  const id = await aReady()
  await remove(id)
  const first = await read(id)
  await clock.advance(60_000)
  expect((await remove(id)).status).toBe(204)
  expect(await read(id)).toEqual(first)
})

test.each(['queued', 'running', 'finalizing'])('%s work has no result yet, and may be cancelled instead', async (state) => {
  const id = await aStart()
  if (state !== 'queued') await moves.begin(id)
  if (state === 'finalizing') await moves.gather(id)
  const answer = await remove(id)
  expect(answer).toMatchObject({
    status: 409,
    body: { error: { code: 'file_not_ready', retryable: true, details: { fileIds: [id], retryAfterSeconds: 3 } } },
  })
  expect(answer.headers['retry-after']).toBe('3')
  expect((await read(id)).state).toBe(state)
})

test('a generation without a result stays unchanged', async () => {
  const [failed, cancelled] = [await aStart(), await aStart()]
  await moves.fail(failed)
  await app.ask(`POST /generations/${cancelled}/cancel`, { key })
  for (const id of [failed, cancelled]) {
    const before = await read(id)
    expect((await remove(id)).status).toBe(204)
    expect(await read(id)).toEqual(before)
  }
})

test('a text result and the note of an editor result are deleted, too', async () => {
  const recorded = { teamId: own.team.id, userId: own.user.id, familyId: 'any', state: 'ready' } as const
  const text = await recordEditorGeneration(operator, { ...recorded, outputType: 'text', text: 'a secret' })
  const image = await recordEditorGeneration(operator, { ...recorded, outputType: 'image' })
  const removed = deleted(clock.now().toISOString())
  for (const { generationId, outputType } of [text, image]) {
    expect((await remove(generationId)).status).toBe(204)
    expect(await read(generationId)).toMatchObject({ state: 'ready', result: { ...removed, type: outputType }, reusableAs: [] })
  }
  expect(JSON.stringify(await read(text.generationId))).not.toContain('a secret')
})

test("another team's generation returns 404 like an unknown one, and keeps its result", async () => {
  const id = await aReady()
  const unknown = { status: 404, body: { error: { code: 'generation_not_found' } } }
  expect(await remove(id, other.value)).toMatchObject(unknown)
  for (const wrong of ['gen_01kabc5m1dexampleexample00', 'file_01kabc5m1dexampleexample00', 'nonsense', '%00', 'x'.repeat(5000)])
    expect(await remove(wrong)).toMatchObject(unknown)
  expect((await read(id)).result).not.toHaveProperty('deletedAt')
})

test('a result that an open generation uses is kept until its end, and refused as an input after the deletion', async () => {
  const id = await aReady()
  const work = await aStart({ imageIds: [id] })
  expect(await remove(id)).toMatchObject({ status: 409, body: { error: { code: 'file_not_ready', details: { fileIds: [id] } } } })
  expect((await app.ask(`GET ${String((await read(id)).result?.url)}`)).status).toBe(200)
  await moves.fail(work)
  expect((await remove(id)).status).toBe(204)
  const body = { familyId: 'sandbox-image', prompt: 'again', imageIds: [id] }
  expect(await app.ask('POST /generations', { key, body })).toMatchObject({
    status: 404,
    body: { error: { code: 'file_not_found', retryable: false, details: { ids: [id], field: 'imageIds' } } },
  })
  expect((await read(work)).inputs.imageIds).toEqual([id])
})

test('a repeated start returns the first response', async () => {
  const asked = { key, body: { familyId: 'sandbox-image', prompt: 'a lighthouse' }, headers: { 'idempotency-key': 'order 1' } }
  const first = await app.ask('POST /generations', asked)
  const id = first.body.generationId
  await moves.begin(id)
  await moves.gather(id)
  await moves.finish(id, Buffer.from('bytes'))
  await remove(id)
  expect((await app.ask('POST /generations', asked)).body).toEqual({ ...first.body, replayed: true })
})
