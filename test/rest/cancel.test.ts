import { afterAll, expect, test } from 'vitest'
import { checkBooks } from '../../src/domain/credits/checkBooks.ts'
import { recordEditorGeneration } from '../../src/domain/generations/start/recordEditorGeneration.ts'
import { testApp } from '../support/app.ts'
import { aServiceContext, aTeamWithKey } from '../support/factories.ts'
import { generationTransitions } from '../support/generations/generationTransitions.ts'

const app = await testApp()
afterAll(app.close)
const { services } = app
const operator = aServiceContext(services)
const moves = generationTransitions(services)
const made = await aTeamWithKey(services)
const { value: key } = made

async function aStart(): Promise<string> {
  const { body } = await app.ask('POST /generations', { key, body: { familyId: 'sandbox-image', prompt: 'a lighthouse' } })
  return body.generationId
}

const cancel = (id: string, body?: unknown) => app.ask(`POST /generations/${id}/cancel`, { key, ...(body === undefined ? {} : { body }) })
const read = async (id: string) => (await app.ask(`GET /generations/${id}`, { key })).body
const available = async () => (await app.ask('GET /account', { key })).body.creditsAvailable

test('before the start a cancel returns the whole hold', async () => {
  const before = await available()
  const id = await aStart()
  const answer = await cancel(id)
  expect(answer.status).toBe(200)
  expect(answer.body).toEqual({ generationId: id, state: 'cancelled', cancelled: true, creditsCharged: 0, creditsReturned: 1 })
  expect(await available()).toBe(before)
  const now = await read(id)
  expect(now).toMatchObject({ state: 'cancelled', creditsHeld: 0, creditsCharged: 0, startedAt: null, finishedAt: expect.any(String) })
  expect(Object.keys(now)).not.toEqual(expect.arrayContaining(['error']))
  expect(Object.keys(now)).not.toEqual(expect.arrayContaining(['pollAfterSeconds']))
  expect(Object.keys(now)).not.toEqual(expect.arrayContaining(['result']))
})

test('a cancel after the work began charges the price', async () => {
  const before = await available()
  const id = await aStart()
  await moves.begin(id)
  expect((await read(id)).state).toBe('running')
  expect((await cancel(id)).body).toEqual({ generationId: id, state: 'cancelled', cancelled: true, creditsCharged: 1, creditsReturned: 0 })
  expect(await available()).toBe(before - 1)
  expect(await read(id)).toMatchObject({ state: 'cancelled', creditsHeld: 0, creditsCharged: 1 })
})

test('while the result is being stored, a cancel is refused with a retryable cancel_conflict', async () => {
  const id = await aStart()
  await moves.begin(id)
  await moves.gather(id)
  const stored = expect.stringMatching(/result is being stored/)
  expect(await cancel(id)).toMatchObject({
    status: 409,
    body: { error: { code: 'cancel_conflict', message: stored, retryable: true, details: { state: 'finalizing' } } },
  })
  expect(await read(id)).toMatchObject({ state: 'finalizing', creditsHeld: 1, creditsCharged: null, pollAfterSeconds: expect.any(Number) })
})

test('a cancel of an ended generation returns its state', async () => {
  const [ready, failed, cancelled] = [await aStart(), await aStart(), await aStart()]
  await moves.begin(ready)
  await moves.gather(ready)
  await moves.finish(ready, Buffer.from('bytes'))
  await moves.fail(failed)
  await cancel(cancelled)
  const before = await available()
  const told = { cancelled: false, creditsReturned: 0 }
  expect((await cancel(ready)).body).toEqual({ generationId: ready, state: 'ready', creditsCharged: 1, ...told })
  expect((await cancel(failed)).body).toEqual({ generationId: failed, state: 'failed', creditsCharged: 0, ...told })
  expect((await cancel(cancelled)).body).toEqual({ generationId: cancelled, state: 'cancelled', creditsCharged: 0, ...told })
  expect(await available()).toBe(before)
})

test.each(['running', 'ready', 'failed'] as const)('a %s generation of the editor is cancelled there', async (state) => {
  const { team, user } = made
  const recorded = await recordEditorGeneration(operator, {
    teamId: team.id,
    userId: user.id,
    familyId: 'sandbox-image',
    outputType: 'image',
    state,
  })
  const id = String(recorded['generationId'])
  expect(await cancel(id)).toMatchObject({
    status: 409,
    body: { error: { code: 'not_cancellable', retryable: false, details: { source: 'editor' } } },
  })
  expect(await read(id)).toMatchObject({ state, source: 'editor', creditsHeld: 0 })
})

test('of twenty concurrent cancels one cancels, and the hold is returned once', async () => {
  const before = await available()
  const id = await aStart()
  const answers = await Promise.all(Array.from({ length: 20 }, () => cancel(id)))
  expect(answers.every(({ status }) => status === 200)).toBe(true)
  expect(answers.filter(({ body }) => body.cancelled)).toHaveLength(1)
  expect(answers.reduce((sum, { body }) => sum + body.creditsReturned, 0)).toBe(1)
  expect(await available()).toBe(before)
})

test('a cancel concurrent with the begin of the work is settled once', async () => {
  const before = await available()
  let charged = 0
  for (let n = 0; n < 20; n++) {
    const id = await aStart()
    const [, answer] = await Promise.all([moves.begin(id).catch(() => undefined), cancel(id)])
    expect(answer).toMatchObject({ status: 200, body: { cancelled: true, state: 'cancelled' } })
    charged += answer.body.creditsCharged
  }
  expect(await available()).toBe(before - charged)
})

test('a body is empty or an empty object', async () => {
  for (const body of [undefined, '', '{}', ' { } ']) expect((await cancel(await aStart(), body)).status).toBe(200)
  const faulty: [body: string, issue: object][] = [
    ['{"reason":"late"}', { path: ['reason'], code: 'unknown_field' }],
    ['[]', { path: [], code: 'wrong_type' }],
    ['null', { path: [], code: 'wrong_type' }],
    ['{', { path: [], code: 'bad_format' }],
    [' ', { path: [], code: 'bad_format' }],
  ]
  const id = await aStart()
  for (const [body, issue] of faulty) {
    expect(await cancel(id, body)).toMatchObject({
      status: 400,
      body: { error: { code: 'invalid_request', details: { issues: [{ in: 'body', ...issue }] } } },
    })
  }
  expect((await read(id)).state).toBe('queued')
})

test('an unknown query parameter or content type leaves the generation as it is', async () => {
  const id = await aStart()
  expect(await app.ask(`POST /generations/${id}/cancel?force=1`, { key })).toMatchObject({
    status: 400,
    body: { error: { code: 'invalid_request' } },
  })
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  expect(await app.ask(`POST /generations/${id}/cancel`, { key, headers, body: 'a=b' })).toMatchObject({
    status: 415,
    body: { error: { code: 'unsupported_content_type' } },
  })
  expect((await read(id)).state).toBe('queued')
})

test('the books balance after all tests', async () => {
  expect(await checkBooks(operator)).toEqual({ clean: true, faults: [] })
})
