import type { IncomingMessage } from 'node:http'
import type { Json } from '../../../src/contract/json.ts'
import type { OutputType } from '../../../src/contract/shapes/outputTypes.ts'
import { replicate } from '../../../src/providers/vendors/replicate/index.ts'
import type { VendorUnderTest } from '../conformance/vendorUnderTest.ts'
import { answerFile, filesOf } from './fakeOutputs.ts'
import { bytesOf, type Exchange, json, startFakeServer } from './fakeServer.ts'
import { type FakeWork, type JobFake, jobFake, type Stage, stageOf, takeIn } from './fakeWork.ts'
import { failuresOfReplicate, replicateErrors } from './replicateErrors.ts'

const key = 'r8_0123456789abcdef'

export const replicateUnderTest: VendorUnderTest = {
  vendor: replicate,
  key,
  startFake: () => startReplicate(),
  failures: failuresOfReplicate,
  requests: {
    image: { familyId: 'replicate-flux-kontext-pro', prompt: 'make it night', parameters: { outputFormat: 'png' }, inputs: ['image'] },
    video: { familyId: 'replicate-kling-2.5-turbo-pro', prompt: 'waves', parameters: { durationSeconds: 5 } },
    audio: { familyId: 'replicate-stable-audio-2.5', prompt: 'rain on a tin roof', parameters: { durationSeconds: 10 } },
    model3d: { familyId: 'replicate-trellis', inputs: ['image'] },
  },
  reportsCost: true,
}

type ReplicateFake = JobFake & { uploaded: Buffer[] }

/** `hear` is called for every request. */
export async function startReplicate(onRequest: (request: IncomingMessage) => void = () => undefined): Promise<ReplicateFake> {
  const server = await startFakeServer((exchange) => {
    onRequest(exchange.request)
    return answer(fake, exchange)
  })
  const fake: ReplicateFake = { ...jobFake(server), uploaded: [] }
  return fake
}

async function answer(fake: ReplicateFake, exchange: Exchange): Promise<void> {
  const { request, path } = exchange
  const [, folder = '', id = '', third] = path.split('/')
  const isPost = request.method === 'POST'
  if (folder === 'files' && !isPost) return answerFile(exchange)
  if (request.headers.authorization !== `Bearer ${key}`) {
    return json(exchange, 401, { title: 'Unauthenticated', detail: 'You did not pass a valid authentication token', status: 401 })
  }
  if (folder === 'account') return json(exchange, 200, { type: 'user', username: 'tests', name: 'Tests' })
  if (folder === 'files') return takeFile(fake, exchange)
  if (isPost && (folder === 'models' || id === '')) return create(fake, exchange)
  const work = fake.work.get(id)
  if (!work) return json(exchange, 404, { detail: 'The requested resource could not be found.', status: 404 })
  if (third === 'cancel' && isPost) return cancel(fake, exchange, work)
  json(exchange, 200, predictionOf(fake, work, work.cancelled ? { at: 'over' } : stageOf(work)))
}

/** The file part of the form. */
async function takeFile(fake: ReplicateFake, exchange: Exchange): Promise<void> {
  const form = await new Response(new Uint8Array(await bytesOf(exchange)), {
    headers: { 'content-type': exchange.request.headers['content-type'] ?? '' },
  }).formData()
  const content = form.get('content')
  if (!(content instanceof File)) return json(exchange, 400, { detail: 'Missing content', status: 400 })
  fake.uploaded.push(Buffer.from(await content.arrayBuffer()))
  const id = `file${fake.uploaded.length}`
  json(exchange, 201, { id, name: content.name, content_type: content.type, size: content.size, urls: { get: `${fake.url}/files/${id}` } })
}

const trellis = 'e8f6c45206993f297372f5436b90350817bd9b4a0d52d2a76df50c1c8afa2b3c'

function mediumOf(model: string): OutputType {
  if (model === trellis || model.includes('3d')) return 'model3d'
  if (/video|kling/.test(model)) return 'video'
  return /audio|speech|music/.test(model) ? 'audio' : 'image'
}

async function create(fake: ReplicateFake, exchange: Exchange): Promise<void> {
  const body = JSON.parse((await bytesOf(exchange)).toString()) as { version?: string; input: Json }
  const { behaviour } = fake
  const error = behaviour.kind === 'fails' ? replicateErrors[behaviour.failure] : undefined
  if (error && 'status' in error) return json(exchange, error.status, error.body)
  const model = body.version ?? exchange.path.split('/').slice(2, 4).join('/')
  const work = takeIn(fake, exchange, { model, outputType: mediumOf(model), body })
  if (work) json(exchange, 201, predictionOf(fake, work, { at: 'queued', ahead: 0 }))
}

function predictionOf(fake: ReplicateFake, work: FakeWork, stage: Stage): Json {
  const own = `${fake.url}/predictions/${work.id}`
  const common = {
    id: work.id,
    model: work.model,
    version: 'hidden',
    input: (work.body as { input: Json }).input,
    urls: { get: own, cancel: `${own}/cancel` },
  }
  if (work.cancelled) return { ...common, status: 'canceled', output: null, error: null, logs: '' }
  if (stage.at === 'queued') return { ...common, status: 'starting', output: null, error: null, logs: '' }
  if (stage.at === 'strange') return { ...common, status: 'pondering', output: null, error: null, logs: '' }
  if (stage.at === 'running') {
    const percent = Math.round(stage.share * 100)
    return { ...common, status: 'processing', output: null, error: null, logs: `loading\n 10%|█         | 1/10\r ${percent}%|███       |` }
  }
  const error = work.behaviour.kind === 'fails' ? replicateErrors[work.behaviour.failure] : undefined
  if (error && 'words' in error) return { ...common, status: 'failed', output: null, error: error.words, logs: '' }
  return {
    ...common,
    status: 'succeeded',
    output: outputOf(fake, work),
    error: null,
    logs: '',
    metrics: { predict_time: 2.5, total_time: 3 },
  }
}

/** Outputs in the format of the models' schemas: an object for 3D, a list for several outputs, else one URL. */
function outputOf(fake: ReplicateFake, work: FakeWork): Json {
  const urls = filesOf(fake.url, work).map(({ url }) => url)
  if (work.outputType === 'model3d')
    return { model_file: urls.length > 1 ? urls : (urls[0] ?? null), color_video: null, gaussian_ply: null }
  return urls.length > 1 ? urls : (urls[0] ?? null)
}

function cancel(fake: ReplicateFake, exchange: Exchange, work: FakeWork): void {
  const isOver = work.behaviour.kind === 'slow' ? work.looks > work.behaviour.looks : work.looks > 0
  if (!isOver && !work.cancelled) {
    work.cancelled = true
    fake.cancelled.push(work.id)
  }
  json(exchange, 200, predictionOf(fake, work, { at: 'over' }))
}
