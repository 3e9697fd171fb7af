import { afterAll, expect, test, vi } from 'vitest'
import { revokeKey } from '../../src/domain/access/keys/revokeKey.ts'
import { rotateKey } from '../../src/domain/access/keys/rotateKey.ts'
import { updateTeam } from '../../src/domain/access/teams/teams.ts'
import { followerChecks } from '../../src/domain/generations/reading/followGeneration.ts'
import { testApp } from '../support/app.ts'
import { aServiceContext, aTeamWithKey } from '../support/factories.ts'
import { generationTransitions } from '../support/generations/generationTransitions.ts'
import { type OpenEventStream, openEventStream } from '../support/http/eventStream.ts'

const app = await testApp()
afterAll(app.close)
const { services } = app
const moves = generationTransitions(services)
const made = await aTeamWithKey(services)
const key = made.value

async function aStart(as = key): Promise<string> {
  const { body } = await app.ask('POST /generations', { key: as, body: { familyId: 'sandbox-image', prompt: 'a lighthouse' } })
  return body.generationId
}

const follow = (
  id: string,
  { as = key, on = app.origin, headers = {} }: { as?: string; on?: string; headers?: Record<string, string> } = {},
) => openEventStream(`${on}/api/v1/generations/${id}/events`, { key: as, headers })

/** Its first event has come. */
async function following(id: string, asked: Parameters<typeof follow>[1] = {}): Promise<OpenEventStream> {
  const stream = await follow(id, asked)
  expect(await stream.next()).toMatchObject({ data: { generationId: id } })
  return stream
}

async function heldBecomes(as: string, count: number): Promise<void> {
  const held = async () => {
    const { headers } = await app.ask('GET /account', { key: as })
    return Number(headers['x-concurrency-limit']) - Number(headers['x-concurrency-remaining']) - 1
  }
  await vi.waitFor(async () => expect(await held()).toBe(count), { timeout: 8000, interval: 10 })
}

test('each change of state, progress and queue position is an event, and the end closes the stream', async () => {
  const id = await aStart()
  const stream = await follow(id)
  const { status, headers } = stream.response
  expect(status).toBe(200)
  expect(headers.get('content-type')).toBe('text/event-stream; charset=utf-8')
  expect(headers.get('cache-control')).toBe('no-store')
  expect(headers.get('x-accel-buffering')).toBe('no')
  expect(headers.get('x-request-id')).toMatch(/^req_/)
  expect(headers.get('x-ratelimit-remaining')).toMatch(/^\d+$/)
  expect(await stream.next()).toMatchObject({ id: 1, event: 'generation', data: { state: 'queued', progress: null, queuePosition: null } })
  await moves.submit(id, 2)
  expect(await stream.next()).toMatchObject({ id: 2, event: 'generation', data: { state: 'queued', progress: null, queuePosition: 2 } })
  await moves.see(id, { isBegun: false, queuePosition: 1 })
  expect(await stream.next()).toMatchObject({ id: 3, data: { state: 'queued', queuePosition: 1 } })
  await moves.see(id, { isBegun: true, progress: 0.251 })
  expect(await stream.next()).toMatchObject({ id: 4, data: { state: 'running', progress: 0.25, queuePosition: null } })
  await moves.gather(id)
  expect(await stream.next()).toMatchObject({ id: 5, data: { state: 'finalizing', progress: null } })
  await moves.finish(id, Buffer.from('bytes'))
  const last = await stream.next()
  expect(last).toMatchObject({ id: 6, data: { state: 'ready', creditsCharged: 1, result: { type: 'image' } } })
  expect(last?.data).not.toHaveProperty('progress')
  expect(await stream.next()).toBeUndefined()
})

test('an ended generation is one event, and event numbers continue from Last-Event-ID', async () => {
  const id = await aStart()
  await moves.fail(id)
  const numbers = async (lastEventId: string) => {
    const { rest } = await follow(id, { headers: { 'last-event-id': lastEventId } })
    return (await rest()).map(({ id: number, data }) => [number, data.state])
  }
  expect(await numbers('41')).toEqual([[42, 'failed']])
  for (const strange of ['', 'x', '-1', '1e3', '9'.repeat(40)]) expect(await numbers(strange)).toEqual([[1, 'failed']])
})

test('a refusal is JSON, before the stream begins', async () => {
  const id = await aStart()
  const foreign = (await aTeamWithKey(services)).value
  const refused = async (path: string, as: string) => await app.ask(`GET /generations/${path}`, { key: as })
  for (const [path, as] of [
    [`${id}/events`, foreign],
    ['gen_x/events', key],
    ['gen_00000000000000000000000000/events', key],
  ] as const)
    expect(await refused(path, as)).toMatchObject({ status: 404, body: { error: { code: 'generation_not_found' } } })
  expect(await refused(`${id}/events?wait=1`, key)).toMatchObject({ status: 400, body: { error: { code: 'invalid_request' } } })
  expect(await refused(`${id}/events`, `${key}x`)).toMatchObject({ status: 401, body: { error: { code: 'invalid_token' } } })
  const noReader = (await aTeamWithKey(services, { scopes: ['generations:write'] })).value
  expect(await refused(`${id}/events`, noReader)).toMatchObject({ status: 403, body: { error: { code: 'insufficient_scope' } } })
  const head = await app.ask(`HEAD /generations/${id}/events`, { key })
  expect([head.status, head.headers['allow']]).toEqual([405, 'GET'])
})

test('an open stream is one request in progress until its client leaves', async () => {
  const own = (await aTeamWithKey(services)).value
  const id = await aStart(own)
  const streams = await Promise.all([1, 2, 3].map(() => following(id, { as: own })))
  await heldBecomes(own, 3)
  for (const stream of streams) stream.leave()
  await heldBecomes(own, 0)
})

const deaths: [string, (own: Awaited<ReturnType<typeof aTeamWithKey>>) => Promise<unknown>][] = [
  ['its key is revoked', ({ key: { id } }) => revokeKey(aServiceContext(services), id)],
  ['its value is replaced, as after a leak,', ({ key: { id } }) => rotateKey(aServiceContext(services), { id })],
  ["its team's external access is closed", ({ team: { id } }) => updateTeam(aServiceContext(services), { id, externalAccess: false })],
  ['its team is blocked', ({ team: { id } }) => updateTeam(aServiceContext(services), { id, blocked: true })],
]

test.each(deaths)('when %s a stream ends without another word', async (_, die) => {
  const own = await aTeamWithKey(services)
  const id = await aStart(own.value)
  const stream = await following(id, { as: own.value })
  await die(own)
  await moves.fail(id)
  expect(await stream.rest()).toEqual([])
})

test('the stream of a revoked key ends with the next check of all streams, even without a change', async () => {
  const ends = deaths.map(async ([, die]) => {
    const own = await aTeamWithKey(services)
    const stream = await following(await aStart(own.value), { as: own.value })
    await die(own)
    followerChecks.callNow()
    return await stream.rest()
  })
  expect(await Promise.all(ends)).toEqual(deaths.map(() => []))
})

test('a change whose notice was lost is an event of the next check of all streams', async () => {
  const id = await aStart()
  const stream = await following(id)
  await services.pool.query('update generations set queue_position = 7 where id = $1', [id])
  followerChecks.callNow()
  expect(await stream.next()).toMatchObject({ data: { state: 'queued', queuePosition: 7 } })
  stream.leave()
})

test('a stream that was opened with the previous value continues while that value works', async () => {
  const own = await aTeamWithKey(services)
  const id = await aStart(own.value)
  const stream = await following(id, { as: own.value })
  await rotateKey(aServiceContext(services), { id: own.key.id, overlapHours: 1 })
  await moves.fail(id)
  expect((await stream.rest()).map(({ data }) => data.state)).toEqual(['failed'])
})

test('at shutdown open streams end cleanly and at once', async () => {
  const leaving = await testApp({ databaseUrl: app.databaseUrl })
  const stream = await following(await aStart(), { on: leaving.origin })
  const ended = stream.rest()
  const begunAt = performance.now()
  await leaving.close()
  expect(await ended).toEqual([])
  expect(performance.now() - begunAt).toBeLessThan(5000)
})

test('open streams hold no connection to the database', async () => {
  const small = await testApp({ poolMax: 2, databaseUrl: app.databaseUrl })
  try {
    const id = await aStart()
    const streams = await Promise.all(Array.from({ length: 30 }, () => following(id, { on: small.origin })))
    expect((await small.ask('GET /generations', { key })).status).toBe(200)
    await moves.fail(id)
    for (const stream of streams) expect((await stream.rest()).map(({ data }) => data.state)).toEqual(['failed'])
  } finally {
    await small.close()
  }
})
