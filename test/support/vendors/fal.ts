import type { IncomingMessage } from 'node:http'
import type { Json } from '../../../src/contract/json.ts'
import type { OutputType } from '../../../src/contract/shapes/outputTypes.ts'
import { fal } from '../../../src/providers/vendors/fal/index.ts'
import type { VendorUnderTest } from '../conformance/vendorUnderTest.ts'
import { answerFile, filesOf } from './fakeOutputs.ts'
import { bytesOf, type Exchange, json, startFakeServer } from './fakeServer.ts'
import { type FakeWork, type JobFake, jobFake, stageOf, takeIn } from './fakeWork.ts'
import { failuresOfFal, falErrors } from './falErrors.ts'

const key = 'fal-key-id:0123456789abcdef'

export const falUnderTest: VendorUnderTest = {
  vendor: fal,
  key,
  startFake: () => startFal(),
  failures: failuresOfFal,
  requests: {
    image: { familyId: 'fal-flux-kontext-pro', prompt: 'make it night', parameters: { outputFormat: 'png' }, inputs: ['image'] },
    video: { familyId: 'fal-kling-2.5-turbo-pro', prompt: 'waves', parameters: { durationSeconds: 5 } },
    audio: { familyId: 'fal-minimax-speech-2.8', prompt: 'Good evening.' },
    model3d: { familyId: 'fal-trellis-2', inputs: ['image'] },
  },
  reportsCost: true,
}

type Shapes = Record<OutputType, (files: Json[]) => Json>
type FalFake = JobFake & { shapes: Shapes }

/** The output paths of the models. */
const usualShapes: Shapes = {
  image: (images) => ({ images, seed: 7, has_nsfw_concepts: images.map(() => false) }),
  video: (videos) => ({ video: videos.length > 1 ? videos : (videos[0] ?? null) }),
  audio: (audios) => ({ audio: audios.length > 1 ? audios : (audios[0] ?? null), duration_ms: 1000 }),
  model3d: (models) => ({ model_glb: models.length > 1 ? models : (models[0] ?? null) }),
}

const mediumOf: [RegExp, OutputType][] = [
  [/video|veo/, 'video'],
  [/speech|audio|music/, 'audio'],
  [/trellis|3d/, 'model3d'],
  [/./, 'image'],
]

/** `hear` is called for every request. */
export async function startFal(onRequest: (request: IncomingMessage) => void = () => undefined): Promise<FalFake> {
  const server = await startFakeServer((exchange) => {
    onRequest(exchange.request)
    return answer(fake, exchange)
  })
  const fake: FalFake = { ...jobFake(server), shapes: { ...usualShapes } }
  return fake
}

const requests = /^\/(?<app>.+)\/requests\/(?<id>[^/]+)(?<of>\/status|\/cancel)?$/

async function answer(fake: FalFake, exchange: Exchange): Promise<void> {
  const { request, path } = exchange
  if (path.startsWith('/files/')) return answerFile(exchange)
  if (request.headers.authorization !== `Key ${key}`)
    return json(exchange, 401, { detail: 'Cannot access application. Authentication is required.' })
  const groups = requests.exec(path)?.groups
  if (!groups) return submit(fake, exchange)
  const work = fake.work.get(groups['id'] ?? '')
  // fal identifies work by its app, not by the path within it.
  if (!work || appOf(work.model) !== groups['app']) return json(exchange, 404, { detail: 'Request not found' })
  if (groups['of'] === '/cancel') return cancel(fake, exchange, work)
  return groups['of'] === '/status' ? status(exchange, work) : result(fake, exchange, work)
}

async function submit(fake: FalFake, exchange: Exchange): Promise<void> {
  const { request, path } = exchange
  const body = JSON.parse((await bytesOf(exchange)).toString()) as Json
  if (request.method !== 'POST') return json(exchange, 405, { detail: 'Method Not Allowed' })
  const { behaviour } = fake
  const error = behaviour.kind === 'fails' ? falErrors[behaviour.failure] : undefined
  if (error?.atSubmit) return json(exchange, error.status, error.body)
  const model = path.slice(1)
  const outputType = mediumOf.find(([pattern]) => pattern.test(model))?.[1] ?? 'image'
  const work = takeIn(fake, exchange, { model, outputType, body })
  if (!work) return
  const own = `${fake.url}/${appOf(model)}/requests/${work.id}`
  const addresses = { response_url: own, status_url: `${own}/status`, cancel_url: `${own}/cancel` }
  json(exchange, 200, { status: 'IN_QUEUE', request_id: work.id, queue_position: 3, ...addresses })
}

function appOf(model: string): string {
  return model.split('/').slice(0, 2).join('/')
}

function status(exchange: Exchange, work: FakeWork): void {
  const stage = work.cancelled ? { at: 'over' as const } : stageOf(work)
  const named = { request_id: work.id }
  if (stage.at === 'queued') return json(exchange, 202, { ...named, status: 'IN_QUEUE', queue_position: stage.ahead })
  if (stage.at === 'running') return json(exchange, 202, { ...named, status: 'IN_PROGRESS', logs: null })
  if (stage.at === 'strange') return json(exchange, 202, { ...named, status: 'PONDERING' })
  json(exchange, 200, { ...named, status: 'COMPLETED', logs: null, metrics: { inference_time: 1.5 } })
}

function result(fake: FalFake, exchange: Exchange, work: FakeWork): void {
  if (work.cancelled) {
    return json(exchange, 499, { detail: 'Request cancelled', error_type: 'client_cancelled' }, { 'x-fal-error-type': 'client_cancelled' })
  }
  const error = work.behaviour.kind === 'fails' ? falErrors[work.behaviour.failure] : undefined
  if (error) return json(exchange, error.status, error.body, { 'x-fal-request-id': work.id })
  const files = filesOf(fake.url, work).map(({ url, mimeType }) => ({ url, content_type: mimeType, file_name: 'output', file_size: 1000 }))
  json(exchange, 200, fake.shapes[work.outputType](files), { 'x-fal-request-id': work.id, 'x-fal-billable-units': '1.5' })
}

function cancel(fake: FalFake, exchange: Exchange, work: FakeWork): void {
  if (exchange.request.method !== 'PUT') return json(exchange, 405, { detail: 'Method Not Allowed' })
  const isOver = work.behaviour.kind === 'slow' ? work.looks > work.behaviour.looks : work.looks > 0
  if (isOver || work.cancelled) return json(exchange, 400, { status: 'ALREADY_COMPLETED' })
  work.cancelled = true
  fake.cancelled.push(work.id)
  json(exchange, 202, { status: 'CANCELLATION_REQUESTED' })
}
