import { setTimeout as pause } from 'node:timers/promises'
import { openai } from '../../../src/providers/vendors/openai/index.ts'
import type { FakeVendor, VendorUnderTest } from '../conformance/vendorUnderTest.ts'
import { bytesOf, type Exchange, json, startFakeServer } from './fakeServer.ts'
import { busyNow, isAnswered, type ScriptedVendor, scriptedVendor } from './fakeVendor.ts'
import { answerImages, answerSpeech, type OpenaiFields } from './openaiAnswers.ts'
import { errorBody, openaiBusy, openaiErrors } from './openaiErrors.ts'

const key = 'sk-fake-0123456789abcdef0123456789abcdef'

export const openaiUnderTest: VendorUnderTest = {
  vendor: openai,
  key,
  startFake: startOpenai,
  failures: Object.keys(openaiErrors),
  // It is synchronous and has no states.
  without: ['unknown_state'],
  requests: {
    image: { familyId: 'openai-gpt-image-2', prompt: 'a boat at dusk', parameters: { size: '1536x1024' }, inputs: ['image'] },
    audio: {
      familyId: 'openai-speech',
      modelId: 'openai-speech.text-to-speech.standard',
      prompt: 'a boat at dusk',
      parameters: { voice: 'coral' },
    },
  },
  answersWithResult: 'image',
  reportsCost: true,
}

async function startOpenai(): Promise<FakeVendor> {
  const server = await startFakeServer((exchange) => answer(fake, exchange))
  const fake = scriptedVendor({ ...server, url: `${server.url}/v1` })
  return fake
}

async function answer(fake: ScriptedVendor, exchange: Exchange): Promise<void> {
  const { request, path } = exchange
  // Before any word of ours: who is answered while still sending may see the line cut, and no answer.
  const body = await bytesOf(exchange)
  if (path.startsWith('/files/')) return void exchange.response.writeHead(410).end()
  const given = request.headers.authorization?.replace(/^Bearer /, '') ?? ''
  if (given !== key) {
    const message = `Incorrect API key provided: ${given.slice(0, 3)}***${given.slice(-4)}.`
    return json(exchange, 401, errorBody({ message, type: 'invalid_request_error', code: 'invalid_api_key' }))
  }
  if (path === '/v1/models') return json(exchange, 200, { object: 'list', data: [{ id: 'gpt-image-2', object: 'model' }] })
  const make = { '/v1/images/generations': answerImages, '/v1/images/edits': answerImages, '/v1/audio/speech': answerSpeech }[path]
  if (request.method !== 'POST' || !make) {
    const message = `Invalid URL (${request.method} ${path})`
    return json(exchange, 404, errorBody({ message, type: 'invalid_request_error' }))
  }
  await takeIn(fake, exchange, { body, make })
}

async function takeIn(
  fake: ScriptedVendor,
  exchange: Exchange,
  { body, make }: { body: Buffer; make: typeof answerImages },
): Promise<void> {
  const fields = await fieldsOf(exchange, body)
  const { behaviour } = fake
  const busy = busyNow(fake)
  if (busy) return json(exchange, busy.status, errorBody(openaiBusy[busy.status]), busy.headers)
  const error = behaviour.kind === 'fails' ? openaiErrors[behaviour.failure] : missing(exchange.path, fields)
  if (error) return json(exchange, error.status, errorBody(error))
  const take = () => void fake.accepted.push({ id: `work${fake.accepted.length + 1}`, body: fields })
  if (!isAnswered(fake, exchange, take)) return
  if (behaviour.kind === 'slow') await pause(behaviour.looks * 50)
  await make(exchange, { behaviour, fields, url: fake.url })
}

/** Parses JSON or a form, with a third-party parser. */
async function fieldsOf({ request }: Exchange, bytes: Buffer): Promise<OpenaiFields> {
  const type = request.headers['content-type'] ?? ''
  if (!type.startsWith('multipart/form-data')) return JSON.parse(bytes.toString()) as OpenaiFields
  const form = await new Response(new Uint8Array(bytes), { headers: { 'content-type': type } }).formData()
  const fields: OpenaiFields = {}
  for (const [name, value] of form) {
    const read =
      typeof value === 'string' ? value : { type: value.type, name: value.name, bytes: new Uint8Array(await value.arrayBuffer()) }
    fields[name] = name.endsWith('[]') ? [...((fields[name] as unknown[] | undefined) ?? []), read] : read
  }
  return fields
}

function missing(path: string, fields: OpenaiFields) {
  const names = { '/v1/images/edits': ['model', 'prompt'], '/v1/audio/speech': ['model', 'input', 'voice'] }[path] ?? ['model', 'prompt']
  const param = names.find((name) => typeof fields[name] !== 'string' || fields[name] === '')
  if (param === undefined) return undefined
  return {
    status: 400,
    type: 'invalid_request_error',
    code: 'missing_required_parameter',
    param,
    message: `Missing required parameter: '${param}'.`,
  }
}
