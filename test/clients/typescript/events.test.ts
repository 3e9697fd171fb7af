import type { ServerResponse } from 'node:http'
import { afterEach, expect, test, vi } from 'vitest'
import { Atelier, type Generation, TimedOut, UnexpectedAnswer } from '../../../clients/typescript/src/index.ts'
import { type Answer, closeConnections, json, refusal, scriptedServer } from './scriptedServer.ts'

afterEach(() => vi.useRealTimers())

const queued = { generationId: 'gen_1', state: 'queued', progress: null }
const half = { generationId: 'gen_1', state: 'running', progress: 0.5 }
const ready = { generationId: 'gen_1', state: 'ready' }

type State = { generationId: string; state: string; progress?: number | null; pollAfterSeconds?: number }

function told(state: State, id = 1): string {
  return `event: generation\nid: ${id}\ndata: ${JSON.stringify(state)}\n\n`
}

/** A stream that says this, and ends unless told otherwise. */
function stream(text: string, end: (response: ServerResponse) => void = (response) => response.end()): Answer {
  return (response) => {
    response.writeHead(200, { 'Content-Type': 'text/event-stream; charset=utf-8' })
    response.write(text, () => end(response))
  }
}

async function statesOf(client: Atelier, options = {}): Promise<(string | number)[]> {
  const states: (string | number)[] = []
  for await (const { state, progress } of client.events('gen_1', options)) states.push(progress ?? state)
  return states
}

test('a stream gives each state once, and ends with the generation', async () => {
  const text = `: hello\n\n${told(queued)}${told(half, 2)}: still here\n\n${told(half, 3)}event: other\ndata: x\n\n${told(ready, 4)}${told(queued, 5)}`
  const { client, heard, pauses } = await scriptedServer([stream(text)])
  expect(await statesOf(client)).toEqual(['queued', 0.5, 'ready'])
  expect(heard.map(({ method, url, headers }) => [method, url, headers.accept, headers.authorization])).toEqual([
    ['GET', '/api/v1/generations/gen_1/events', 'text/event-stream', 'Bearer atl_key'],
  ])
  expect(pauses).toEqual([])
})

test('a stream that breaks, in the middle of an event or after ten minutes, goes on where it stopped, and tells nothing twice', async () => {
  const cut = stream(`${told(queued, 7)}${told(half, 8).slice(0, 30)}`, (response) => response.destroy())
  const again = stream(told({ ...queued, pollAfterSeconds: 9 }, 9) + told(half, 10))
  const { client, heard } = await scriptedServer([
    closeConnections,
    cut,
    again,
    stream(told(half, 11)),
    stream(told(half, 12) + told(ready, 13)),
  ])
  expect(await statesOf(client)).toEqual(['queued', 0.5, 'ready'])
  expect(heard.map(({ headers }) => headers['last-event-id'])).toEqual([undefined, undefined, '7', '10', '11'])
})

test('what passes is waited out as long as it says, and without a word twice as long each time', async () => {
  const many = refusal(429, 'rate_limited', { retryable: true, headers: { 'Retry-After': '30' } })
  const down = refusal(503, 'service_unavailable', { retryable: true, headers: { 'Retry-After': '2' } })
  const broken = json(502, '<html>')
  const { client, pauses } = await scriptedServer([
    stream(told(queued)),
    many,
    down,
    broken,
    broken,
    broken,
    broken,
    stream(`retry: 20000\n${told(half)}`),
    stream(told(ready)),
  ])
  expect(await statesOf(client)).toEqual(['queued', 0.5, 'ready'])
  expect(pauses).toEqual([0.25, 30, 2, 2, 4, 4, 4, 20])
})

test('what stays is thrown: a refusal, and what is no stream of the service', async () => {
  const missing = await scriptedServer([refusal(404, 'generation_not_found')])
  await expect(statesOf(missing.client)).rejects.toMatchObject({ code: 'generation_not_found' })
  expect(missing.heard).toHaveLength(1)
  const page = await scriptedServer([json(200, ready)])
  await expect(statesOf(page.client)).rejects.toBeInstanceOf(UnexpectedAnswer)
  const nonsense = await scriptedServer([stream('event: generation\ndata: {"state":\n\n')])
  await expect(statesOf(nonsense.client)).rejects.toBeInstanceOf(UnexpectedAnswer)
})

test('a service without streams is asked by held requests', async () => {
  const looks = [queued, queued, half, ready].map((state) => json(200, state))
  const { client, heard } = await scriptedServer([refusal(404, 'not_found'), ...looks])
  expect(await statesOf(client)).toEqual(['queued', 0.5, 'ready'])
  expect(heard.map(({ url }) => url).slice(1)).toEqual(Array.from({ length: 4 }, () => '/api/v1/generations/gen_1?wait=10'))
})

test('progress is told while it is waited for, the end included', async () => {
  const { client } = await scriptedServer([json(201, { ...queued, replayed: false }), stream(told(queued) + told(half) + told(ready))])
  const seen: Generation[] = []
  const ended = await client.run({ familyId: 'sandbox-image' }, { onProgress: (generation) => void seen.push(generation) })
  expect(ended).toEqual(ready)
  expect(seen).toEqual([queued, half, ready])
})

test('whoever leaves the loop ends the stream, and so does a signal, with its reason', async () => {
  const closed = Promise.withResolvers<void>()
  const open = stream(told(queued), (response) => void response.on('close', closed.resolve))
  const left = await scriptedServer([open])
  for await (const _ of left.client.events('gen_1')) break
  await closed.promise

  const reason = new Error('enough')
  const controller = new AbortController()
  const other = await scriptedServer([stream(told(queued), () => undefined)])
  const loop = (async () => {
    for await (const _ of other.client.events('gen_1', { signal: controller.signal })) controller.abort(reason)
  })()
  await expect(loop).rejects.toBe(reason)
})

/** Answers from memory, so that no real time passes; each stream stays open. */
function heldStreams(texts: string[]) {
  const asked: string[] = []
  const fetch = async (url: unknown, init?: RequestInit) => {
    asked.push(String(url).slice('http://service'.length))
    const text = texts[asked.length - 1]
    if (!String(url).endsWith('/events')) return Response.json(ready)
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => {
        if (text) controller.enqueue(new TextEncoder().encode(text))
        init?.signal?.addEventListener('abort', () => controller.error(init.signal?.reason))
      },
    })
    return new Response(body, { headers: { 'Content-Type': 'text/event-stream' } })
  }
  vi.useFakeTimers()
  return { asked, client: new Atelier({ baseUrl: 'http://service', key: 'atl_key', fetch }) }
}

test('a stream that says nothing for 45 seconds is cut and opened again', async () => {
  const { asked, client } = heldStreams([told(queued), told(ready)])
  const states = statesOf(client)
  await vi.advanceTimersByTimeAsync(44_900)
  expect(asked).toHaveLength(1)
  await vi.advanceTimersByTimeAsync(1000)
  expect(await states).toEqual(['queued', 'ready'])
})

test('a stream that something on the way holds back is left for held requests', async () => {
  const { asked, client } = heldStreams([''])
  const states = statesOf(client)
  await vi.advanceTimersByTimeAsync(45_000)
  expect(await states).toEqual(['ready'])
  expect(asked).toEqual(['/generations/gen_1/events', '/generations/gen_1?wait=10'])
})

test('what is done between two states is not silence', async () => {
  const { asked, client } = heldStreams([told(queued) + told(half) + told(ready)])
  const states: string[] = []
  const loop = (async () => {
    for await (const { state } of client.events('gen_1')) {
      states.push(state)
      await new Promise((resolve) => setTimeout(resolve, 60_000))
    }
  })()
  await vi.advanceTimersByTimeAsync(200_000)
  await loop
  expect([states, asked.length]).toEqual([['queued', 'running', 'ready'], 1])
})

test('a stream is followed no longer than was said', async () => {
  const { client } = heldStreams([told(queued)])
  const states = statesOf(client, { timeoutSeconds: 20 }).catch((error: unknown) => error)
  await vi.advanceTimersByTimeAsync(20_100)
  const error = await states
  expect(error).toBeInstanceOf(TimedOut)
  expect(error).toMatchObject({ details: { generationId: 'gen_1' }, retryable: true })
})
