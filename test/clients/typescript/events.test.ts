import type { ServerResponse } from 'node:http'
import { afterEach, expect, test, vi } from 'vitest'
import { Atelier, type Generation, TimedOutError, UnexpectedAnswerError } from '../../../clients/typescript/src/index.ts'
import { type Answer, closeConnections, json, refusal, scriptedServer } from './scriptedServer.ts'

afterEach(() => vi.useRealTimers())

const queued = { generationId: 'gen_1', state: 'queued', progress: null }
const half = { generationId: 'gen_1', state: 'running', progress: 0.5 }
const ready = { generationId: 'gen_1', state: 'ready' }

type State = { generationId: string; state: string; progress?: number | null; pollAfterSeconds?: number }

function eventText(state: State, id = 1): string {
  return `event: generation\nid: ${id}\ndata: ${JSON.stringify(state)}\n\n`
}

/** A stream with this content. `end` ends the response by default. */
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

test('a stream yields each state once and ends with the generation', async () => {
  const text = `: hello\n\n${eventText(queued)}${eventText(half, 2)}: still here\n\n${eventText(half, 3)}event: other\ndata: x\n\n${eventText(ready, 4)}${eventText(queued, 5)}`
  const { client, requests, pauses } = await scriptedServer([stream(text)])
  expect(await statesOf(client)).toEqual(['queued', 0.5, 'ready'])
  expect(requests.map(({ method, url, headers }) => [method, url, headers.accept, headers.authorization])).toEqual([
    ['GET', '/api/v1/generations/gen_1/events', 'text/event-stream', 'Bearer atl_key'],
  ])
  expect(pauses).toEqual([])
})

test('a broken stream continues where it stopped and repeats no event', async () => {
  const cut = stream(`${eventText(queued, 7)}${eventText(half, 8).slice(0, 30)}`, (response) => response.destroy())
  const again = stream(eventText({ ...queued, pollAfterSeconds: 9 }, 9) + eventText(half, 10))
  const { client, requests } = await scriptedServer([
    closeConnections,
    cut,
    again,
    stream(eventText(half, 11)),
    stream(eventText(half, 12) + eventText(ready, 13)),
  ])
  expect(await statesOf(client)).toEqual(['queued', 0.5, 'ready'])
  expect(requests.map(({ headers }) => headers['last-event-id'])).toEqual([undefined, undefined, '7', '10', '11'])
})

test('a temporary error is retried after Retry-After, or after a doubled delay', async () => {
  const many = refusal(429, 'rate_limited', { retryable: true, headers: { 'Retry-After': '30' } })
  const down = refusal(503, 'service_unavailable', { retryable: true, headers: { 'Retry-After': '2' } })
  const broken = json(502, '<html>')
  const { client, pauses } = await scriptedServer([
    stream(eventText(queued)),
    many,
    down,
    broken,
    broken,
    broken,
    broken,
    stream(`retry: 20000\n${eventText(half)}`),
    stream(eventText(ready)),
  ])
  expect(await statesOf(client)).toEqual(['queued', 0.5, 'ready'])
  expect(pauses).toEqual([0.25, 30, 2, 2, 4, 4, 4, 20])
})

test('a permanent refusal and a foreign answer are thrown', async () => {
  const missing = await scriptedServer([refusal(404, 'generation_not_found')])
  await expect(statesOf(missing.client)).rejects.toMatchObject({ code: 'generation_not_found' })
  expect(missing.requests).toHaveLength(1)
  const page = await scriptedServer([json(200, ready)])
  await expect(statesOf(page.client)).rejects.toBeInstanceOf(UnexpectedAnswerError)
  const nonsense = await scriptedServer([stream('event: generation\ndata: {"state":\n\n')])
  await expect(statesOf(nonsense.client)).rejects.toBeInstanceOf(UnexpectedAnswerError)
})

test('a service without streams is polled with long requests', async () => {
  const looks = [queued, queued, half, ready].map((state) => json(200, state))
  const { client, requests } = await scriptedServer([refusal(404, 'not_found'), ...looks])
  expect(await statesOf(client)).toEqual(['queued', 0.5, 'ready'])
  expect(requests.map(({ url }) => url).slice(1)).toEqual(Array.from({ length: 4 }, () => '/api/v1/generations/gen_1?wait=10'))
})

test('progress is reported while waiting, including the end', async () => {
  const { client } = await scriptedServer([
    json(201, { ...queued, replayed: false }),
    stream(eventText(queued) + eventText(half) + eventText(ready)),
  ])
  const seen: Generation[] = []
  const ended = await client.run({ familyId: 'sandbox-image' }, { onProgress: (generation) => void seen.push(generation) })
  expect(ended).toEqual(ready)
  expect(seen).toEqual([queued, half, ready])
})

test('leaving the loop ends the stream, and so does a signal with its reason', async () => {
  const closed = Promise.withResolvers<void>()
  const open = stream(eventText(queued), (response) => void response.on('close', closed.resolve))
  const left = await scriptedServer([open])
  for await (const _ of left.client.events('gen_1')) break
  await closed.promise

  const reason = new Error('enough')
  const controller = new AbortController()
  const other = await scriptedServer([stream(eventText(queued), () => undefined)])
  const loop = (async () => {
    for await (const _ of other.client.events('gen_1', { signal: controller.signal })) controller.abort(reason)
  })()
  await expect(loop).rejects.toBe(reason)
})

/** Answers from memory, so that no real time passes. Each stream stays open. */
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

test('a stream without data for 45 seconds is closed and opened again', async () => {
  const { asked, client } = heldStreams([eventText(queued), eventText(ready)])
  const states = statesOf(client)
  await vi.advanceTimersByTimeAsync(44_900)
  expect(asked).toHaveLength(1)
  await vi.advanceTimersByTimeAsync(1000)
  expect(await states).toEqual(['queued', 'ready'])
})

test('a buffered stream is replaced by polling', async () => {
  const { asked, client } = heldStreams([''])
  const states = statesOf(client)
  await vi.advanceTimersByTimeAsync(45_000)
  expect(await states).toEqual(['ready'])
  expect(asked).toEqual(['/api/v1/generations/gen_1/events', '/api/v1/generations/gen_1?wait=10'])
})

test('the time that the caller spends between two states is not idle time', async () => {
  const { asked, client } = heldStreams([eventText(queued) + eventText(half) + eventText(ready)])
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

test('a stream is followed no longer than the time limit', async () => {
  const { client } = heldStreams([eventText(queued)])
  const states = statesOf(client, { timeoutSeconds: 20 }).catch((error: unknown) => error)
  await vi.advanceTimersByTimeAsync(20_100)
  const error = await states
  expect(error).toBeInstanceOf(TimedOutError)
  expect(error).toMatchObject({ details: { generationId: 'gen_1' }, retryable: true })
})
