import { afterAll, expect, test } from 'vitest'
import {
  Atelier,
  AtelierError,
  expectReady,
  FileNotFound,
  type Generation,
  GenerationNotFound,
  GenerationNotReadyError,
} from '../../../clients/typescript/src/index.ts'
import { testApp } from '../../support/app.ts'
import { aTeamWithKey } from '../../support/factories.ts'
import { blackPng } from '../../support/media/blackPng.ts'
import { type Answer, json, refusal, scriptedServer } from './scriptedServer.ts'

const app = await testApp({ worker: true })
afterAll(app.close)
const baseUrl = `${app.origin}/api/v1`
const { value: key } = await aTeamWithKey(app.services)
const client = new Atelier({ baseUrl, key })

const small = { width: 64, height: 64 }
const picture = { familyId: 'sandbox-image', prompt: 'A door', parameters: small }

async function ofANewTeam(): Promise<Atelier> {
  return new Atelier({ baseUrl, key: (await aTeamWithKey(app.services)).value })
}

async function thrownBy(call: Promise<unknown> | (() => unknown)): Promise<unknown> {
  try {
    await (typeof call === 'function' ? call() : call)
  } catch (error) {
    return error
  }
  throw new Error('nothing was thrown')
}

test('a run returns the ended generation, whose file can be downloaded', async () => {
  const ended = await client.run(picture)
  expect(ended).toMatchObject({ state: 'ready', creditsCharged: 1, creditsHeld: 0 })
  const ready = expectReady(ended)
  const response = await client.download(ready)
  const bytes = Buffer.from(await response.arrayBuffer())
  expect(bytes.subarray(1, 4).toString()).toBe('PNG')
  expect(bytes.length).toBe(ready.result.sizeBytes)
})

test('a failed run resolves, and expectReady throws the failure', async () => {
  const failed = await client.run({ ...picture, parameters: { ...small, outcome: 'prompt_validation/prompt_failed' } })
  expect(failed.state).toBe('failed')
  const error = await thrownBy(() => expectReady(failed))
  expect(error).toBeInstanceOf(GenerationNotReadyError)
  expect(error).toMatchObject({ generation: failed, failure: { code: 'prompt_validation', reason: 'prompt_failed' }, retryable: false })
})

test('a run that ends soon needs one request', async () => {
  const asked: string[] = []
  const counting = new Atelier({
    baseUrl,
    key,
    fetch: (input, init) => {
      asked.push(`${init?.method} ${(input as string).slice(baseUrl.length)}`)
      return fetch(input, init)
    },
  })
  expect(await counting.run(picture)).toMatchObject({ state: 'ready' })
  expect(asked).toEqual(['POST /generations?wait=30'])
})

test('events yield each state once until the generation has ended', async () => {
  const { generationId } = await client.start({ ...picture, parameters: { ...small, runSeconds: 120 } })
  const states: string[] = []
  for await (const { state } of client.events(generationId)) {
    if (states.length === 0) await client.cancel(generationId)
    states.push(state)
  }
  expect(states.at(-1)).toBe('cancelled')
  expect(states).toEqual([...new Set(states)])
  expect(await Array.fromAsync(client.events(generationId))).toMatchObject([{ generationId, state: 'cancelled' }])
  await expect(Array.fromAsync(client.events('gen_nothing'))).rejects.toBeInstanceOf(GenerationNotFound)
})

test('a deleted file is gone at once, and a deleted result with its links', async () => {
  const file = await client.waitForFile((await client.uploadFile({ content: blackPng({ width: 64, height: 64 }) })).fileId)
  await client.deleteFile(file.fileId)
  await expect(client.getFile(file.fileId)).rejects.toBeInstanceOf(FileNotFound)
  const ready = expectReady(await client.run(picture))
  await client.deleteResult(ready.generationId)
  await client.deleteResult(ready.generationId)
  expect((await client.getGeneration(ready.generationId)).result).toMatchObject({ type: 'image', url: null, deletedAt: expect.any(String) })
  await expect(client.download(ready)).rejects.toThrow(TypeError)
  expect((await client.usage({ by: 'family' })).items).toMatchObject([{ familyId: 'sandbox-image' }])
})

test('a wait that is too short times out, and a cancelled generation has ended', async () => {
  const { generationId } = await client.start({ ...picture, parameters: { ...small, runSeconds: 120 } })
  const error = await thrownBy(client.waitUntilDone(generationId, { timeoutSeconds: 0 }))
  expect(error).toMatchObject({ code: 'timed_out', retryable: true, details: { generationId } })
  const waiting = client.waitUntilDone(generationId)
  expect(await client.cancel(generationId)).toMatchObject({ cancelled: true, state: 'cancelled' })
  const cancelled = await waiting
  expect(cancelled.state).toBe('cancelled')
  expect(() => expectReady(cancelled)).toThrow('The generation is cancelled.')
})

test('simultaneous starts with the same key make one generation', async () => {
  const own = await ofANewTeam()
  const starts = await Promise.all(Array.from({ length: 5 }, () => own.start(picture, { idempotencyKey: 'once' })))
  expect(new Set(starts.map(({ generationId }) => generationId)).size).toBe(1)
  expect(starts.filter(({ replayed }) => !replayed)).toHaveLength(1)
  expect((await own.listGenerations()).items).toHaveLength(1)
})

test('the history is read page by page to its end, newest first', async () => {
  const own = await ofANewTeam()
  const ids: string[] = []
  for (let count = 0; count < 3; count++) ids.push((await own.start(picture)).generationId)
  const found: Generation[] = []
  for await (const generation of own.history({ pageItems: 2 })) found.push(generation)
  expect(found.map(({ generationId }) => generationId)).toEqual(ids.toReversed())
  await Promise.all(ids.map((id) => own.waitUntilDone(id)))
  const ready: Generation[] = []
  for await (const generation of own.history({ status: 'ready', pageItems: 1 })) ready.push(generation)
  expect(ready).toHaveLength(3)
})

test('the history of a reference has the generations that were started with it', async () => {
  const own = await ofANewTeam()
  const { generationId } = await own.start({ ...picture, reference: 'order 4711', metadata: { page: '3' } })
  await own.start(picture)
  const found = await Array.fromAsync(own.history({ reference: 'order 4711' }))
  expect(found).toMatchObject([{ generationId, reference: 'order 4711', metadata: { page: '3' } }])
})

test('estimates, the catalog, the account and the description are returned unchanged', async () => {
  expect(await client.estimate({ ...picture, axes: { version: 'pro' }, maxCredits: 5 })).toMatchObject({
    credits: 8,
    blockers: ['cost_above_limit'],
  })
  expect((await client.listFamilies({ outputType: 'video' })).items.map(({ id }) => id)).toEqual(['sandbox-clip', 'sandbox-video'])
  expect(await client.getFamily('sandbox-image')).toMatchObject({ id: 'sandbox-image', available: true })
  expect((await client.getAccount()).key.name).toBe('test key')
  expect(await client.getDescription()).toMatchObject({ openapi: '3.1.1' })
})

test('refusals arrive unchanged', async () => {
  const { value } = await aTeamWithKey(app.services, { scopes: ['catalog:read'] })
  const limited = new Atelier({ baseUrl, key: value })
  expect(await thrownBy(limited.start(picture))).toMatchObject({
    code: 'insufficient_scope',
    status: 403,
    details: { required: 'generations:write' },
    docUrl: `${app.origin}/docs/errors#insufficient_scope`,
  })
  const nobody = new Atelier({ baseUrl, key: 'atl_nobody' })
  expect(await thrownBy(nobody.getAccount())).toMatchObject({
    code: 'invalid_token',
    kind: 'key',
    requestId: expect.stringMatching(/^req_/),
  })
  const missing = await thrownBy(client.getGeneration('gen_nothing'))
  expect(missing).toBeInstanceOf(AtelierError)
  expect(missing).toMatchObject({ code: 'generation_not_found', kind: 'not_found' })
})

test('an expired link is renewed once, and a generation without a file is a caller error', async () => {
  const ready = expectReady(await client.run(picture))
  const stale = { ...ready, result: { ...ready.result, url: `${app.origin}/r/expired` } }
  expect((await client.download(stale)).headers.get('content-type')).toBe('image/png')
  await expect(client.download({ ...ready, result: { type: 'text', text: 'words' } })).rejects.toThrow(TypeError)
})

test('the key is never sent to a link', async () => {
  const { client: other, requests, origin } = await scriptedServer([(response) => response.end('bytes')])
  await other.download({ generationId: 'gen_1', result: { type: 'image', url: `${origin}/r/token` } } as Generation)
  expect(requests.map(({ url, headers }) => [url, headers.authorization])).toEqual([['/r/token', undefined]])
})

test('an early answer or a temporary refusal makes a wait poll again after the requested delay', async () => {
  const running = json(200, { generationId: 'gen_1', state: 'running', pollAfterSeconds: 3 })
  const busy = refusal(503, 'service_unavailable', { retryable: true, headers: { 'Retry-After': '7200' } })
  const ended = json(200, { generationId: 'gen_1', state: 'failed' })
  const { client: other, requests, pauses } = await scriptedServer([running, busy, ended])
  expect(await other.waitUntilDone('gen_1', { timeoutSeconds: 10_000 })).toMatchObject({ state: 'failed' })
  expect(pauses).toEqual([3, 7200])
  expect(requests.map(({ url }) => url)).toEqual(Array.from({ length: 3 }, () => '/api/v1/generations/gen_1?wait=60'))
})

test('a wait asks for at most the remaining time', async () => {
  const running = json(200, { generationId: 'gen_1', state: 'running', pollAfterSeconds: 30 })
  const { client: other, requests, pauses } = await scriptedServer([running])
  expect(await thrownBy(other.waitUntilDone('gen_1', { timeoutSeconds: 70 }))).toMatchObject({ code: 'timed_out' })
  expect(requests.map(({ url }) => new URL(url, 'http://service').searchParams.get('wait'))).toEqual(['60', '40', '10', null])
  expect(pauses).toEqual([30, 30, 10])
})

test('a wait that was held for its whole time polls again at once', async () => {
  const running = json(200, { generationId: 'gen_1', state: 'running', pollAfterSeconds: 15 })
  const held: Answer = (response) => {
    pass(60)
    running(response)
  }
  const { client: other, pauses, pass } = await scriptedServer([held, held, json(200, { generationId: 'gen_1', state: 'ready' })])
  expect(await other.waitUntilDone('gen_1')).toMatchObject({ state: 'ready' })
  expect(pauses).toEqual([])
})

test('a permanent error ends a wait', async () => {
  const { client: other, requests } = await scriptedServer([refusal(404, 'generation_not_found')])
  expect(await thrownBy(other.waitUntilDone('gen_1'))).toMatchObject({ code: 'generation_not_found' })
  expect(requests).toHaveLength(1)
})
