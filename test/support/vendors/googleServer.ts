import type { IncomingMessage, ServerResponse } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import type { Json } from '../../../src/contract/json.ts'
import type { Behaviour } from '../conformance/vendorUnderTest.ts'
import { startFakeServer } from './fakeServer.ts'
import { busyNow, isAnswered, type ScriptedVendor, scriptedVendor } from './fakeVendor.ts'
import { answerFile, type GoogleWork, imageAnswer, interactionAnswer, operationAnswer } from './googleAnswers.ts'
import { errorBody, googleErrors } from './googleErrors.ts'

export const googleKey = 'AIza-key-of-tests-0123456789'

/** `says`: replaces the next answer of `generateContent`. */
export type FakeGoogle = ScriptedVendor & { works: GoogleWork[]; says: Json | undefined }

/** The parts of the Gemini API for images and videos. */
export async function startGoogle(): Promise<FakeGoogle> {
  const server = await startFakeServer(({ request, response }) => answer(fake, request, response))
  const fake: FakeGoogle = {
    ...scriptedVendor({ ...server, url: `${server.url}/v1beta` }),
    works: [],
    says: undefined,
  }
  return fake
}

async function answer(fake: FakeGoogle, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { pathname } = new URL(request.url ?? '/', 'http://127.0.0.1')
  const path = pathname.replace(/^\/v1beta\//, '')
  const body = request.method === 'POST' ? ((await bodyOf(request)) as Json) : null
  if (request.headers['x-goog-api-key'] !== googleKey) {
    return json(
      response,
      400,
      errorBody({ status: 400, name: 'INVALID_ARGUMENT', message: 'API key not valid.', reason: 'API_KEY_INVALID' }),
    )
  }
  const file = /^files\/([\w-]+):download$/.exec(path)?.[1]
  if (file !== undefined) return answerFile(file, response)
  if (path === 'models') return json(response, 200, { models: [] })
  const stopped = /^interactions\/([\w-]+)\/cancel$/.exec(path)?.[1]
  if (stopped !== undefined) return cancel(fake, stopped, response)
  if (request.method === 'POST') return takeIn(fake, { path, body }, request, response)
  const work = fake.works.find(({ id }) => path === id || path === `interactions/${id}`)
  if (!work) return json(response, 404, errorBody({ status: 404, name: 'NOT_FOUND', message: 'Not found.' }))
  work.looks++
  return json(response, 200, work.kind === 'interaction' ? await interactionAnswer(fake.url, work) : operationAnswer(fake.url, work))
}

type Sent = { path: string; body: Json }

async function takeIn(fake: FakeGoogle, sent: Sent, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { behaviour } = fake
  const isImage = sent.path.endsWith(':generateContent')
  const refused = busyNow(fake)
  if (refused) return busy(refused, response)
  const error = behaviour.kind === 'fails' ? googleErrors[behaviour.failure] : undefined
  if (error && (!error.atTheEnd || isImage)) return json(response, error.status, errorBody(error))
  if (!isAnswered(fake, { request, response }, () => begin(fake, sent))) return
  const work = fake.works.at(-1)
  if (work && !isImage) return json(response, 200, work.kind === 'operation' ? { name: work.id } : { id: work.id, status: 'in_progress' })
  if (behaviour.kind === 'slow') await pause(behaviour.looks * 50)
  return json(response, 200, fake.says ?? (await imageAnswer(behaviour)))
}

function begin(fake: FakeGoogle, { path, body }: Sent): void {
  const isOperation = path.endsWith(':predictLongRunning')
  const number = fake.accepted.length + 1
  const id = isOperation ? `${path.replace(':predictLongRunning', '')}/operations/op${number}` : `v1_work${number}`
  const work: GoogleWork = { id, kind: isOperation ? 'operation' : 'interaction', behaviour: fake.behaviour, looks: 0, isCancelled: false }
  fake.accepted.push({ id, body })
  fake.works.push(work)
}

function busy({ status, retryAfterSeconds }: Extract<Behaviour, { kind: 'busy' }>, response: ServerResponse): void {
  const delay =
    retryAfterSeconds === undefined ? [] : [{ '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: `${retryAfterSeconds}s` }]
  const error =
    status === 429
      ? { name: 'RESOURCE_EXHAUSTED', message: 'You exceeded your current quota.' }
      : { name: 'UNAVAILABLE', message: 'Overloaded.' }
  json(response, status, errorBody({ status, ...error }, delay))
}

function cancel(fake: FakeGoogle, id: string, response: ServerResponse): void {
  const work = fake.works.find((each) => each.id === id)
  if (work) work.isCancelled = true
  if (work) fake.cancelled.push(id)
  json(response, work ? 200 : 404, work ? { id, status: 'cancelled' } : {})
}

async function bodyOf(request: IncomingMessage): Promise<unknown> {
  const content = Buffer.concat(await request.toArray()).toString()
  return content === '' ? null : JSON.parse(content)
}

function json(response: ServerResponse, status: number, body: Json): void {
  response.writeHead(status, { 'content-type': 'application/json; charset=UTF-8' }).end(JSON.stringify(body))
}
