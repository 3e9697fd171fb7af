import { randomUUID } from 'node:crypto'
import { afterAll, expect, test, vi } from 'vitest'
import { revokeKey } from '../../src/domain/access/keys/revokeKey.ts'
import { testApp } from '../support/app.ts'
import { aServiceContext, aTeamWithKey } from '../support/factories.ts'
import { generationTransitions } from '../support/generations/generationTransitions.ts'

const app = await testApp()
afterAll(app.close)
const { services } = app
const moves = generationTransitions(services)
const { value: key } = await aTeamWithKey(services)

const body = { familyId: 'sandbox-image', prompt: 'a lighthouse' }

/** A start that waits, and the identifier of what it has started. */
async function waitingStart({ as = key, on = app, headers = {} }: { as?: string; on?: typeof app; headers?: Record<string, string> } = {}) {
  const seen = new Set(await idsOf(as))
  const leaving = new AbortController()
  const answer = fetch(`${on.origin}/api/v1/generations?wait=60`, {
    method: 'POST',
    headers: { authorization: `Bearer ${as}`, 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
    signal: leaving.signal,
  })
  const started = async () => {
    const found = (await idsOf(as)).find((each) => !seen.has(each))
    expect(found).toBeDefined()
    return String(found)
  }
  const id = await vi.waitFor(started, { timeout: 8000, interval: 20 })
  return { id, answer, leave: () => leaving.abort() }
}

async function idsOf(as: string): Promise<string[]> {
  return (await app.ask('GET /generations', { key: as })).body.items.map(({ generationId }) => generationId)
}

test('a start with a wait returns 201 with the ended generation', async () => {
  const { id, answer } = await waitingStart()
  await moves.begin(id)
  await moves.gather(id)
  await moves.finish(id, Buffer.from('bytes'))
  const response = await answer
  expect([response.status, response.headers.get('location')]).toEqual([201, `/api/v1/generations/${id}`])
  expect(await response.json()).toMatchObject({
    generationId: id,
    state: 'ready',
    replayed: false,
    creditsHeld: 0,
    creditsCharged: 1,
    result: { type: 'image' },
  })
})

test('a start whose wait times out returns 201 with the present state', async () => {
  const begunAt = performance.now()
  const answer = await app.ask('POST /generations?wait=1', { key, body })
  expect(performance.now() - begunAt).toBeGreaterThan(950)
  expect(answer).toMatchObject({ status: 201, body: { state: 'queued', pollAfterSeconds: 1, replayed: false, progress: null } })
})

test('a repeat with a wait returns the present state, without a wait the first response; wait is not part of the request', async () => {
  const headers = { 'idempotency-key': randomUUID() }
  const first = await app.ask('POST /generations?wait=0', { key, body, headers })
  const id = first.body.generationId
  await moves.fail(id)
  const waited = await app.ask('POST /generations?wait=60', { key, body, headers })
  expect(waited).toMatchObject({ status: 201, body: { generationId: id, state: 'failed', replayed: true } })
  expect(waited.headers['location']).toBe(`/api/v1/generations/${id}`)
  const plain = await app.ask('POST /generations', { key, body, headers })
  expect(plain.body).toEqual({ ...first.body, replayed: true })
})

test('a disconnect of a waiting start cancels nothing', async () => {
  const { id, answer, leave } = await waitingStart()
  leave()
  await expect(answer).rejects.toThrow('aborted')
  expect(await app.ask(`GET /generations/${id}`, { key })).toMatchObject({ status: 200, body: { state: 'queued', creditsHeld: 1 } })
})

test('at shutdown a waiting start returns 201, and the generation continues', async () => {
  const leaving = await testApp({ databaseUrl: app.databaseUrl })
  const { id, answer } = await waitingStart({ on: leaving })
  await leaving.close()
  const response = await answer
  expect(response.status).toBe(201)
  expect(await response.json()).toMatchObject({ generationId: id, state: 'queued', replayed: false })
  expect((await app.ask(`GET /generations/${id}`, { key })).body).toMatchObject({ state: 'queued', creditsHeld: 1 })
})

test('a key that is revoked during the wait gets the first response, without later changes', async () => {
  const own = await aTeamWithKey(services)
  const { id, answer } = await waitingStart({ as: own.value })
  await revokeKey(aServiceContext(services), own.key.id)
  await moves.begin(id)
  await moves.gather(id)
  await moves.finish(id, Buffer.from('bytes'))
  const response = await answer
  expect(response.status).toBe(201)
  const told = await response.json()
  expect(told).toMatchObject({ generationId: id, state: 'queued', replayed: false })
  expect(told).not.toHaveProperty('result')
})

test.each(['wait=-1', 'wait=1.5', 'wait=', 'wait=1&wait=1', 'waitSeconds=1'])('?%s starts nothing', async (query) => {
  const own = (await aTeamWithKey(services)).value
  const answer = await app.ask(`POST /generations?${query}`, { key: own, body })
  expect(answer).toMatchObject({ status: 400, body: { error: { code: 'invalid_request', details: { issues: [{ in: 'query' }] } } } })
  expect(await idsOf(own)).toEqual([])
})
