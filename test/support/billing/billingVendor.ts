import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { bytesOf, type Exchange, json, startFakeServer } from '../vendors/fakeServer.ts'
import { pictureFor } from './pictureFor.ts'
import type { Work } from './work.ts'

export type BillingVendor = {
  /** Variables that point the connectors of OpenAI and fal here. */
  env: Record<string, string>
  /** In the order of arrival. */
  works: readonly Work[]
  /** Resolves once no work is running, including work that arrives meanwhile. */
  idle(): Promise<void>
  close(): Promise<void>
}

export type BillingVendorOptions = {
  /** Duration of the work for a prompt. */
  secondsOf(prompt: string): number
  /** Delay of the answer with a handle. */
  handleSeconds?: number
  /** Where it listens; default loopback. */
  host?: string
}

const idleCheckMs = 50
const submits = { '/v1/images/generations': synchronous, '/billing/picture': queued }
const ofWork = /^\/billing\/picture\/requests\/(?<id>[^/]+)(?<of>\/status|\/cancel|\/file)?$/

type Vendor = BillingVendorOptions & { url: string; works: Work[] }

/**
 * A fake vendor with the images API of OpenAI, which answers with the bytes when the work is done, and the queue of fal, which returns a handle
 * at once and keeps results as long as the fake runs. Every submit is new work: it recognises no repeats, finishes started work when
 * the caller disconnects, and bills all finished work.
 */
export async function startBillingVendor(options: BillingVendorOptions): Promise<BillingVendor> {
  const server = await startFakeServer((exchange) => answer(vendor, exchange), options.host)
  const vendor: Vendor = { ...options, url: server.url, works: [] }
  return {
    env: { OPENAI_API_KEY: 'sk-billing', OPENAI_BASE_URL: `${server.url}/v1`, FAL_KEY: 'billing:key', FAL_QUEUE_URL: server.url },
    works: vendor.works,
    async idle() {
      while (vendor.works.some(({ madeAt, cancelledAt }) => madeAt === undefined && cancelledAt === undefined)) await pause(idleCheckMs)
    },
    close: () => server.close(),
  }
}

async function answer(vendor: Vendor, exchange: Exchange): Promise<void> {
  const { request, path } = exchange
  const submit = submits[path as keyof typeof submits]
  if (request.method === 'POST' && submit) {
    const { prompt } = JSON.parse((await bytesOf(exchange)).toString()) as { prompt: string }
    return submit(vendor, exchange, accept(vendor, { kind: submit === queued ? 'queued' : 'synchronous', prompt }))
  }
  const groups = ofWork.exec(path)?.groups
  const work = vendor.works.find(({ id }) => id === groups?.['id'])
  if (!work) return json(exchange, 404, { detail: 'Not found' })
  if (groups?.['of'] === '/status') return json(exchange, 200, { request_id: work.id, status: statusOf(work) })
  if (groups?.['of'] === '/cancel') return cancel(exchange, work)
  if (groups?.['of'] === '/file') return download(exchange, work)
  if (work.cancelledAt !== undefined) return json(exchange, 499, { detail: 'Request cancelled', error_type: 'client_cancelled' })
  json(exchange, 200, { images: [{ url: `${addressOf(vendor, work)}/file`, content_type: 'image/png' }] })
}

function accept({ works, secondsOf }: Vendor, { kind, prompt }: Pick<Work, 'kind' | 'prompt'>): Work {
  const work: Work = { id: randomUUID(), kind, prompt, arrivedAt: performance.now() }
  works.push(work)
  setTimeout(() => {
    if (work.cancelledAt === undefined) work.madeAt = performance.now()
  }, secondsOf(prompt) * 1000)
  return work
}

async function synchronous({ secondsOf }: Vendor, exchange: Exchange, work: Work): Promise<void> {
  watchAnswer(exchange, work)
  await pause(secondsOf(work.prompt) * 1000)
  const usage = { input_tokens: 50, output_tokens: 1_000, total_tokens: 1_050 }
  json(exchange, 200, { created: 1_700_000_000, data: [{ b64_json: pictureFor(work.prompt).toString('base64') }], usage })
}

async function queued(vendor: Vendor, exchange: Exchange, work: Work): Promise<void> {
  watchAnswer(exchange, work)
  await pause((vendor.handleSeconds ?? 0) * 1000)
  const own = addressOf(vendor, work)
  const addresses = { response_url: own, status_url: `${own}/status`, cancel_url: `${own}/cancel` }
  json(exchange, 200, { status: 'IN_QUEUE', request_id: work.id, queue_position: 0, ...addresses })
}

/** A response closes in any case; it is finished when all of it went to the network. */
function watchAnswer({ response }: Exchange, work: Work): void {
  response.once('close', () => {
    const now = performance.now()
    if (!response.writableFinished) work.cutAt = now
    else work.answeredAt = now
    if (work.answeredAt !== undefined && work.kind === 'synchronous') work.deliveredAt = now
  })
}

function addressOf({ url }: Vendor, { id }: Work): string {
  return `${url}/billing/picture/requests/${id}`
}

function statusOf({ madeAt, cancelledAt }: Work): string {
  return madeAt === undefined && cancelledAt === undefined ? 'IN_PROGRESS' : 'COMPLETED'
}

function download({ response }: Exchange, work: Work): void {
  if (work.madeAt === undefined) return void response.writeHead(404).end()
  response.once('finish', () => {
    work.deliveredAt = performance.now()
  })
  response.writeHead(200, { 'content-type': 'image/png' }).end(pictureFor(work.prompt))
}

function cancel(exchange: Exchange, work: Work): void {
  if (work.madeAt !== undefined) return json(exchange, 400, { status: 'ALREADY_COMPLETED' })
  work.cancelledAt ??= performance.now()
  json(exchange, 202, { status: 'CANCELLATION_REQUESTED' })
}
