import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tinyPng } from './tinyPng.ts'

export type VendorJob = { id: string; idempotencyKey: string; polls: number; cancelled: boolean }

/** The vendor's behaviour from now on. */
export type VendorBehaviour = {
  /** `hangs`: accepts the work and never answers; `drops`: accepts it and disconnects; `busy`: answers 503. */
  submit: 'answers' | 'hangs' | 'drops' | 'busy'
  /** Polls until a job has started, and until it is done. */
  pollsUntilBegun: number
  pollsUntilDone: number
  poll: 'answers' | 'hangs' | 'drops'
  cancel: 'answers' | 'drops'
  /** The answer to a submit is the result itself. */
  answersAtOnce: boolean
  /** The type that it declares for such a result, which is a PNG. */
  declaredType: string
  /** Submits and polls are answered when it resolves. */
  submitGate: Promise<unknown>
  pollGate: Promise<unknown>
  /** Results are sent when it resolves. */
  outputGate: Promise<unknown>
}

export type VendorServer = {
  url: string
  /** Every accepted job by idempotency key. */
  jobs: Map<string, VendorJob>
  /** Submits, including repeats. */
  submits: number
  /** The largest number of accepted jobs that were neither done nor cancelled. */
  mostAtOnce: number
  /** Polls of jobs. */
  polls: number
  /** Fetches of results. */
  fetches: number
  behaviour: VendorBehaviour
  close(): Promise<void>
}

/** A model vendor with real sockets: accepts work once per idempotency key, is done after some polls, returns a PNG. */
export async function startVendor(behaviour: Partial<VendorBehaviour> = {}): Promise<VendorServer> {
  const vendor: VendorServer = {
    url: '',
    jobs: new Map(),
    submits: 0,
    mostAtOnce: 0,
    polls: 0,
    fetches: 0,
    behaviour: { ...usual, ...behaviour },
    close: async () => undefined,
  }
  const server = createServer((request, response) => void answer(vendor, request, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  vendor.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  vendor.close = () =>
    new Promise((resolve) => {
      server.close(() => resolve())
      server.closeAllConnections()
    })
  return vendor
}

const usual: VendorBehaviour = {
  submit: 'answers',
  pollsUntilBegun: 0,
  pollsUntilDone: 1,
  poll: 'answers',
  cancel: 'answers',
  answersAtOnce: false,
  declaredType: 'image/png',
  submitGate: Promise.resolve(),
  pollGate: Promise.resolve(),
  outputGate: Promise.resolve(),
}
const png = tinyPng()

async function answer(vendor: VendorServer, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const [, , id = '', action] = (request.url ?? '').split('/')
  if (request.method === 'POST' && !id) return takeIn(vendor, request, response)
  const job = [...vendor.jobs.values()].find((each) => each.id === id)
  if (!job) return void response.writeHead(404).end()
  if (action === 'output') {
    vendor.fetches++
    await vendor.behaviour.outputGate
    return void response.setHeader('content-type', 'image/png').end(png)
  }
  if (action === 'cancel') {
    if (vendor.behaviour.cancel === 'drops') return void request.socket.destroy()
    job.cancelled = true
    return json(response, {})
  }
  job.polls++
  vendor.polls++
  const { poll, pollGate, pollsUntilBegun, pollsUntilDone } = vendor.behaviour
  const seen = {
    done: job.polls >= pollsUntilDone,
    begun: job.polls > pollsUntilBegun,
    position: pollsUntilBegun - job.polls + 1,
    polls: job.polls,
  }
  await pollGate
  if (poll === 'drops') return void request.socket.destroy()
  if (poll === 'hangs') return
  json(response, { ...seen, progress: seen.polls / pollsUntilDone })
}

async function takeIn(vendor: VendorServer, request: IncomingMessage, response: ServerResponse): Promise<void> {
  for await (const _ of request);
  vendor.submits++
  const { submit, submitGate, pollsUntilBegun, pollsUntilDone, answersAtOnce, declaredType } = vendor.behaviour
  if (submit === 'busy') return void response.writeHead(503).end()
  const key = String(request.headers['idempotency-key'])
  const job = vendor.jobs.get(key) ?? { id: `job${vendor.jobs.size}`, idempotencyKey: key, polls: 0, cancelled: false }
  vendor.jobs.set(key, job)
  const open = [...vendor.jobs.values()].filter(({ polls, cancelled }) => polls < pollsUntilDone && !cancelled)
  vendor.mostAtOnce = Math.max(vendor.mostAtOnce, open.length)
  await submitGate
  if (submit === 'drops') request.socket.destroy()
  else if (submit === 'answers') {
    const result = answersAtOnce ? { result: png.toString('base64'), mimeType: declaredType } : {}
    json(response, { id: job.id, begun: pollsUntilBegun === 0, ...result })
  }
}

function json(response: ServerResponse, value: object): void {
  response.setHeader('content-type', 'application/json').end(JSON.stringify(value))
}
