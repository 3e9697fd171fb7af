import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Json } from '../../../src/contract/json.ts'
import { comfyuiFailures } from './comfyuiFailures.ts'
import { takeUpload, viewFile } from './comfyuiFiles.ts'
import { type FakePrompt, historyEntryOf, placeOf, queueEntryOf, type SentNodes } from './comfyuiPrompts.ts'
import { startFakeServer } from './fakeServer.ts'
import { busyNow, isAnswered, type ScriptedVendor, scriptedVendor } from './fakeVendor.ts'

export const comfyuiKey = 'comfyui-token-0123456789'

/** `version` decides the effect of a cancel: builds before 0.3.60 interrupt any running prompt, and those before 0.22 have no cancel by id. */
export type FakeComfyui = ScriptedVendor & { version: string; uploaded: Uint8Array[]; prompts: FakePrompt[]; unscopedInterrupts: number }
type Inner = FakeComfyui & { uploads: Map<string, Uint8Array> }

/** A fake ComfyUI behind a proxy that requires a bearer token. */
export async function startComfyui({ version = '0.45.2' }: { version?: string } = {}): Promise<FakeComfyui> {
  const server = await startFakeServer(({ request, response }) => answer(fake, request, response))
  const fake: Inner = {
    ...scriptedVendor(server),
    version,
    uploads: new Map(),
    get uploaded() {
      return [...fake.uploads.values()]
    },
    prompts: [],
    unscopedInterrupts: 0,
  }
  return fake
}

async function answer(fake: Inner, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const url = new URL(request.url ?? '/', fake.url)
  if (request.headers.authorization !== `Bearer ${comfyuiKey}`) return json(response, 401, { error: 'Unauthorized' })
  const [, first = '', second = ''] = url.pathname.replace(/^\/api(?=\/)/, '').split('/')
  switch (`${request.method} ${first}`) {
    case 'GET system_stats':
      return json(response, 200, { system: { os: 'linux', comfyui_version: fake.version, python_version: '3.13' }, devices: [] })
    case 'GET queue':
      return json(response, 200, queueOf(fake))
    case 'POST queue':
      return forget(fake, (await bodyOf(request)) as { delete?: string[] }, response)
    case 'POST interrupt':
      return interrupt(fake, (await bodyOf(request)) as { prompt_id?: string }, response)
    case 'GET history':
      return json(response, 200, historyOf(fake, second))
    case 'GET view':
      return viewFile(url.searchParams, response)
    case 'POST upload':
      return json(response, 200, await takeUpload(request, fake.uploads))
    case 'POST prompt':
      return takeIn(fake, (await bodyOf(request)) as Sent, request, response)
    case 'POST jobs':
      return isBefore(fake.version, 22) ? void response.writeHead(405).end() : json(response, 200, { cancelled: cancel(fake, second) })
    default:
      return void response.writeHead(404).end()
  }
}

type Sent = { prompt: SentNodes; prompt_id?: string }

function takeIn(fake: Inner, sent: Sent, request: IncomingMessage, response: ServerResponse): void {
  const { behaviour } = fake
  const busy = busyNow(fake)
  if (busy) return json(response, busy.status, {}, busy.headers)
  const no = behaviour.kind === 'fails' ? comfyuiFailures[behaviour.failure]?.(sent.prompt) : undefined
  if (no && 'status' in no) return json(response, no.status, no.body)
  const id = sent.prompt_id ?? crypto.randomUUID()
  const missing = Object.values(sent.prompt).find(
    ({ class_type, inputs }) => class_type === 'LoadImage' && !fake.uploads.has(inputs['image'] as string),
  )
  if (missing) return json(response, 400, { error: { type: 'prompt_outputs_failed_validation' }, node_errors: {} })
  const take = () => {
    fake.accepted.push({ id, body: sent, idempotencyKey: id })
    fake.prompts.push({ id, number: fake.prompts.length, nodes: sent.prompt, behaviour, looks: 0, isInterrupted: false })
  }
  if (isAnswered(fake, { request, response }, take))
    json(response, 200, { prompt_id: id, number: fake.prompts.length - 1, node_errors: {} })
}

/** Every poll of the queue advances slow prompts by one. */
function queueOf({ prompts }: Inner): Json {
  const at = (place: string) => prompts.filter((prompt) => placeOf(prompt) === place)
  const [running, pending] = [at('running'), at('pending')]
  // In heap order like the server, not sorted by number.
  const answer = { queue_running: running.map(queueEntryOf), queue_pending: pending.map(queueEntryOf).toReversed() }
  for (const prompt of [...running, ...pending]) prompt.looks++
  return answer
}

function historyOf({ prompts }: Inner, id: string): Json {
  const ended = prompts.filter((prompt) => placeOf(prompt) === 'history' && (id === '' || prompt.id === id))
  return Object.fromEntries(ended.map((prompt) => [prompt.id, historyEntryOf(prompt)]))
}

function cancel(fake: Inner, id: string): boolean {
  const prompt = fake.prompts.find((each) => each.id === id && placeOf(each) !== 'history')
  if (!prompt) return false
  if (placeOf(prompt) === 'pending') fake.prompts.splice(fake.prompts.indexOf(prompt), 1)
  else prompt.isInterrupted = true
  fake.cancelled.push(id)
  return true
}

function forget(fake: Inner, { delete: ids = [] }: { delete?: string[] }, response: ServerResponse): void {
  const waiting = fake.prompts.filter((prompt) => ids.includes(prompt.id) && placeOf(prompt) === 'pending')
  for (const { id } of waiting) cancel(fake, id)
  response.writeHead(200).end()
}

function interrupt(fake: Inner, { prompt_id: id }: { prompt_id?: string }, response: ServerResponse): void {
  const heedsId = !isBefore(fake.version, 4) || fake.version === '0.3.60'
  if (!heedsId) fake.unscopedInterrupts++
  for (const prompt of fake.prompts.filter((each) => placeOf(each) === 'running' && (!heedsId || each.id === id))) cancel(fake, prompt.id)
  response.writeHead(200).end()
}

function isBefore(version: string, minor: number): boolean {
  return Number(version.split('.')[1]) < minor
}

async function bodyOf(request: IncomingMessage): Promise<unknown> {
  const content = Buffer.concat(await request.toArray()).toString()
  return content === '' ? {} : JSON.parse(content)
}

function json(response: ServerResponse, status: number, body: Json, headers: Record<string, string> = {}): void {
  response.writeHead(status, { 'content-type': 'application/json; charset=utf-8', ...headers }).end(JSON.stringify(body))
}
