import { afterAll, expect, test } from 'vitest'
import { unusedFilesOf } from '../../../src/domain/files/unusedFiles.ts'
import { testApp } from '../../support/app.ts'
import { aTeamWithKey } from '../../support/factories.ts'
import { generationTransitions } from '../../support/generations/generationTransitions.ts'
import { onePixel } from '../../support/http/everyEndpoint.ts'
import { fileForm, mp4Of } from '../../support/http/uploads.ts'

const app = await testApp()
afterAll(app.close)
const { services } = app
const moves = generationTransitions(services)
const own = await aTeamWithKey(services)
const other = await aTeamWithKey(services)
const { value: key } = own

const upload = async (): Promise<string> => (await app.ask('POST /files', { key, body: { base64: onePixel } })).body.fileId
const remove = (id: string, by = key) => app.ask(`DELETE /files/${id}`, { key: by })
const look = async (id: string) => (await app.ask(`GET /files/${id}`, { key })).status
const collage = (id: string) => ({ familyId: 'sandbox-image', prompt: 'a collage', imageIds: [id] })
const start = (id: string, headers = {}) => app.ask('POST /generations', { key, body: collage(id), headers })
const unknown = (id: string) => ({ status: 404, body: { error: { code: 'file_not_found', details: { ids: [id], field: null } } } })

test('a deleted file is unknown at once for reads, inputs and deletions', async () => {
  const id = await upload()
  const answer = await remove(id)
  expect([answer.status, answer.text, answer.headers['content-type']]).toEqual([204, '', undefined])
  expect(await app.ask(`GET /files/${id}`, { key })).toMatchObject(unknown(id))
  expect(await start(id)).toMatchObject({
    status: 404,
    body: { error: { code: 'file_not_found', details: { ids: [id], field: 'imageIds' } } },
  })
  expect(await remove(id)).toMatchObject(unknown(id))
})

test('a deleted file no longer counts towards the limit', async () => {
  const before = await unusedFilesOf(own.context, own.team.id)
  const id = await upload()
  expect((await unusedFilesOf(own.context, own.team.id)).files).toBe(before.files + 1)
  await remove(id)
  expect(await unusedFilesOf(own.context, own.team.id)).toEqual(before)
})

test("another team's file returns 404 like an unknown one, and stays", async () => {
  const id = await upload()
  expect(await remove(id, other.value)).toMatchObject(unknown(id))
  expect(await look(id)).toBe(200)
})

test.each(['nonsense', 'file_', 'file_01kabc5m1dexampleexample00', 'gen_01kabc5m1dexampleexample00', '%00', 'x'.repeat(5000)])(
  'there is no file %.40s to delete',
  async (id) => {
    const { status, body } = await remove(id)
    expect([status, body.error.code]).toEqual([404, 'file_not_found'])
  },
)

test('a file that an open generation uses stays, and the refusal has Retry-After', async () => {
  const id = await upload()
  const work = (await start(id)).body.generationId
  for (const move of [async () => undefined, moves.begin, moves.gather]) {
    await move(work)
    const refused = await remove(id)
    expect(refused).toMatchObject({
      status: 409,
      body: { error: { code: 'file_not_ready', retryable: true, details: { fileIds: [id], retryAfterSeconds: 3 } } },
    })
    expect(refused.headers['retry-after']).toBe('3')
  }
  expect(await look(id)).toBe(200)
  await moves.finish(work, Buffer.from('bytes'))
  expect((await remove(id)).status).toBe(204)
  expect((await app.ask(`GET /generations/${work}`, { key })).body).toMatchObject({ state: 'ready', inputs: { imageIds: [id] } })
})

test.each(['failed', 'cancelled'] as const)('work that has %s needs its inputs no more', async (end) => {
  const id = await upload()
  const work = (await start(id)).body.generationId
  if (end === 'failed') await moves.fail(work)
  else await app.ask(`POST /generations/${work}/cancel`, { key })
  expect((await remove(id)).status).toBe(204)
})

test('a file of two generations stays until both have ended', async () => {
  const id = await upload()
  const works = [(await start(id)).body.generationId, (await start(id)).body.generationId] as const
  await moves.fail(works[0])
  expect((await remove(id)).status).toBe(409)
  await moves.fail(works[1])
  expect((await remove(id)).status).toBe(204)
})

test('a repeated start returns the first response although its input was deleted', async () => {
  const id = await upload()
  const headers = { 'idempotency-key': 'order 1' }
  const first = await start(id, headers)
  await moves.fail(first.body.generationId)
  await remove(id)
  expect(await start(id, headers)).toMatchObject({ status: 201, body: { ...first.body, replayed: true } })
})

test('a processing file can be deleted', async () => {
  const { body } = await app.ask('POST /files', { key, ...fileForm(await mp4Of(5_000_000)) })
  expect([body.state, (await remove(body.fileId)).status, await look(body.fileId)]).toEqual(['processing', 204, 404])
})

test('a body is ignored, with any content type', async () => {
  for (const contentType of ['application/json', 'text/plain', 'nonsense']) {
    const id = await upload()
    const answer = await app.ask(`DELETE /files/${id}`, { key, body: 'x'.repeat(400_000), headers: { 'content-type': contentType } })
    expect([answer.status, await look(id)]).toEqual([204, 404])
  }
})

test('a query parameter is refused, and the file stays', async () => {
  const id = await upload()
  expect(await app.ask(`DELETE /files/${id}?force=1`, { key })).toMatchObject({ status: 400, body: { error: { code: 'invalid_request' } } })
  expect(await look(id)).toBe(200)
})

test('other methods of these paths are refused with Allow', async () => {
  const tried: [what: string, allow: string][] = [
    ['PUT /files/file_00000000000000000000000000', 'GET, DELETE'],
    ['DELETE /files', 'POST, GET'],
    ['GET /generations/gen_00000000000000000000000000/result', 'DELETE'],
    ['DELETE /generations/gen_00000000000000000000000000', 'GET'],
  ]
  for (const [what, allow] of tried) {
    const { status, headers } = await app.ask(what, { key })
    expect([status, headers['allow']]).toEqual([405, allow])
  }
})
