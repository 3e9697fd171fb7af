import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, expect, test, vi } from 'vitest'
import { revokeKey } from '../../src/domain/access/keys/revokeKey.ts'
import { rotateKey } from '../../src/domain/access/keys/rotateKey.ts'
import { updateTeam } from '../../src/domain/access/teams/teams.ts'
import { testApp } from '../support/app.ts'
import { aServiceContext, aTeamWithKey } from '../support/factories.ts'
import { generationTransitions } from '../support/generations/generationTransitions.ts'
import { opened } from '../support/http/rawSocket.ts'

const app = await testApp()
afterAll(app.close)
const { services } = app
const moves = generationTransitions(services)
const { value: key } = await aTeamWithKey(services)

async function aStart(as = key, on = app): Promise<string> {
  const { body } = await on.ask('POST /generations', { key: as, body: { familyId: 'sandbox-image', prompt: 'a lighthouse' } })
  return body.generationId
}

/** Requests that are held at this moment, by what they say themselves. */
async function held(as: string): Promise<number> {
  const { headers } = await app.ask('GET /account', { key: as })
  return Number(headers['x-concurrency-limit']) - Number(headers['x-concurrency-remaining']) - 1
}

async function heldBecomes(as: string, count: number): Promise<void> {
  await vi.waitFor(async () => expect(await held(as)).toBe(count), { timeout: 5000, interval: 10 })
}

test('without a wait, and with a wait of 0, the response is immediate', async () => {
  const id = await aStart()
  for (const query of ['', '?', '?wait=0', '?wait=000']) {
    const answer = await app.ask(`GET /generations/${id}${query}`, { key })
    expect(answer).toMatchObject({ status: 200, body: { state: 'queued', pollAfterSeconds: 1, creditsHeld: 1, creditsCharged: null } })
  }
})

test('an ended generation is returned at once, for any wait', async () => {
  const id = await aStart()
  await moves.fail(id)
  for (const wait of ['60', '61', '99999999999999999999999']) {
    expect(await app.ask(`GET /generations/${id}?wait=${wait}`, { key })).toMatchObject({ status: 200, body: { state: 'failed' } })
  }
})

test('a wait that times out returns the state and pollAfterSeconds', async () => {
  const id = await aStart()
  const begunAt = performance.now()
  const answer = await app.ask(`GET /generations/${id}?wait=1`, { key })
  expect(performance.now() - begunAt).toBeGreaterThan(950)
  expect(answer).toMatchObject({ status: 200, body: { state: 'queued', pollAfterSeconds: 1 } })
})

test('a wait ends with the generation, not with its steps', async () => {
  const id = await aStart()
  let isAnswered = false
  const waiting = app.ask(`GET /generations/${id}?wait=60`, { key }).finally(() => (isAnswered = true))
  await moves.begin(id)
  await moves.gather(id)
  await pause(50)
  expect(isAnswered).toBe(false)
  await moves.finish(id, Buffer.from('bytes'))
  expect(await waiting).toMatchObject({
    status: 200,
    body: { state: 'ready', creditsCharged: 1, result: { type: 'image' }, reusableAs: ['imageIds'] },
  })
})

test('a hundred waits end soon after the commits that end their generations', async () => {
  const own = (await aTeamWithKey(services)).value
  const ids = await Promise.all(Array.from({ length: 100 }, () => aStart(own)))
  const endedAt = new Map<string, number>()
  const late: number[] = []
  const waiting = ids.map(async (id) => {
    const { body } = await app.ask(`GET /generations/${id}?wait=60`, { key: own })
    expect(body.state).toBe('failed')
    // The answer can be here before the call that ended the generation returns.
    const answeredAt = performance.now()
    late.push(answeredAt - (endedAt.get(id) ?? answeredAt))
  })
  await heldBecomes(own, 100)
  for (const id of ids) {
    await moves.fail(id)
    endedAt.set(id, performance.now())
  }
  await Promise.all(waiting)
  const median = late.toSorted((one, other) => one - other)[50] ?? 0
  expect(median).toBeLessThan(500)
})

test('an open wait holds no connection to the database', async () => {
  const small = await testApp({ poolMax: 2, databaseUrl: app.databaseUrl })
  try {
    const own = (await aTeamWithKey(services)).value
    const id = await aStart(own, small)
    const waiting = Array.from({ length: 30 }, () => small.ask(`GET /generations/${id}?wait=60`, { key: own }))
    await heldBecomes(own, 30)
    expect((await small.ask('GET /generations', { key: own })).status).toBe(200)
    await moves.fail(id)
    for (const { status, body } of await Promise.all(waiting)) expect([status, body.state]).toEqual([200, 'failed'])
  } finally {
    await small.close()
  }
})

const ends: [string, string, (own: Awaited<ReturnType<typeof aTeamWithKey>>) => Promise<unknown>][] = [
  ['a key that is revoked', 'invalid_token', ({ key: { id } }) => revokeKey(aServiceContext(services), id)],
  ['a key that gets another value', 'invalid_token', ({ key: { id } }) => rotateKey(aServiceContext(services), { id })],
  ['a team that is blocked', 'account_blocked', ({ team: { id } }) => updateTeam(aServiceContext(services), { id, blocked: true })],
]

test.each(ends)('%s during a wait is told %s and nothing else', async (_, code, end) => {
  const made = await aTeamWithKey(services)
  const id = await aStart(made.value)
  const waiting = app.ask(`GET /generations/${id}?wait=60`, { key: made.value })
  await heldBecomes(made.value, 1)
  await end(made)
  await moves.fail(id)
  const answer = await waiting
  expect(answer).toMatchObject({ body: { error: { code } } })
  expect(answer.text).not.toContain(id)
})

test('a disconnect ends the wait', async () => {
  const own = (await aTeamWithKey(services)).value
  const id = await aStart(own)
  const sockets = await Promise.all([1, 2, 3].map(() => opened(app.port)))
  for (const socket of sockets)
    socket.write(`GET /api/v1/generations/${id}?wait=60 HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${own}\r\n\r\n`)
  await heldBecomes(own, 3)
  for (const socket of sockets) socket.destroy()
  await heldBecomes(own, 0)
})

test('at shutdown open waits end with 200 and pollAfterSeconds, and the process is not ready', async () => {
  const leaving = await testApp({ databaseUrl: app.databaseUrl })
  const own = (await aTeamWithKey(services)).value
  const id = await aStart(own, leaving)
  const waiting = fetch(`${leaving.origin}/api/v1/generations/${id}?wait=60`, { headers: { authorization: `Bearer ${own}` } })
  await heldBecomes(own, 1)
  const closing = leaving.app.drain(200)
  // Without a connection of its own, which on a busy machine could come when the listener has closed.
  const readiness = await leaving.app.fastify.inject({ url: '/readyz' })
  expect(readiness.statusCode).toBe(503)
  const response = await waiting
  expect(response.status).toBe(200)
  expect(response.headers.get('connection')).toBe('close')
  expect(await response.json()).toMatchObject({ state: 'queued', pollAfterSeconds: 1 })
  await closing
  await leaving.close()
  expect((await app.ask(`GET /generations/${id}`, { key: own })).status).toBe(200)
})

const faulty: [query: string, path: string, code: string][] = [
  ['wait=-1', 'wait', 'wrong_type'],
  ['wait=1e1', 'wait', 'wrong_type'],
  ['wait=%2B5', 'wait', 'wrong_type'],
  ['wait=+5', 'wait', 'wrong_type'],
  ['wait=%205', 'wait', 'wrong_type'],
  ['wait=1.5', 'wait', 'wrong_type'],
  ['wait=0x10', 'wait', 'wrong_type'],
  ['wait=Infinity', 'wait', 'wrong_type'],
  ['wait=NaN', 'wait', 'wrong_type'],
  ['wait=', 'wait', 'wrong_type'],
  ['wait', 'wait', 'wrong_type'],
  ['wait=1&wait=1', 'wait', 'conflict'],
  ['wait[]=1', 'wait[]', 'unknown_field'],
  ['Wait=1', 'Wait', 'unknown_field'],
  ['waitSeconds=1', 'waitSeconds', 'unknown_field'],
]

test.each(faulty)('?%s is refused at %s with %s', async (query, path, code) => {
  const answer = await app.ask(`GET /generations/gen_00000000000000000000000000?${query}`, { key })
  expect(answer).toMatchObject({
    status: 400,
    body: { error: { code: 'invalid_request', details: { issues: [{ in: 'query', path: [path], code }] } } },
  })
})
