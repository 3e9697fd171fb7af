import type { IncomingMessage, ServerResponse } from 'node:http'
import { lantern } from '../../../examples/lantern/index.ts'
import type { Accepted, FakeVendor, VendorUnderTest } from '../conformance/vendorUnderTest.ts'
import { startFakeServer } from './fakeServer.ts'
import { busyNow, isAnswered, type ScriptedVendor, scriptedVendor } from './fakeVendor.ts'
import { answerFile, filesOf } from './lanternFiles.ts'
import { type LanternWork, refusalOf, stateOf } from './lanternStates.ts'

const key = 'lantern-key-0123456789'

export const lanternUnderTest: VendorUnderTest = {
  vendor: lantern,
  key,
  startFake: startLantern,
  failures: [
    'content_policy/prompt_rejected',
    'content_policy/output_rejected',
    'prompt_validation/prompt_too_long',
    'parameter_validation/parameter_rejected',
    'image_format/image_unreadable',
    'image_size/image_too_small',
    'model_unavailable/model_offline',
    'authentication/provider_access_closed',
    'timeout/model_timeout',
    'provider_error/provider_failed',
    'internal_error/unclassified',
  ],
  requests: { image: { familyId: 'lantern-image', prompt: 'a boat at dusk', parameters: { light: 'night' }, inputs: ['image'] } },
  catalogFolder: new URL('../../../examples/lantern/catalog', import.meta.url).pathname,
  reportsCost: true,
}

type Fake = ScriptedVendor & { jobs: Map<string, LanternWork> }

async function startLantern(): Promise<FakeVendor> {
  const server = await startFakeServer(({ request, response }) => answer(fake, request, response))
  const fake: Fake = {
    ...scriptedVendor(server),
    jobs: new Map(),
  }
  return fake
}

async function answer(fake: Fake, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const [, folder, id] = (request.url ?? '').split('/')
  if (folder === 'files') return answerFile(response, id ?? '')
  if (request.headers.authorization !== `Bearer ${key}`) return json(response, 401, { error: { message: 'Who are you?' } })
  if (folder === 'account') return json(response, 200, { name: 'tests' })
  if (request.method === 'POST' && folder === 'jobs') return takeIn(fake, request, response)
  const job = fake.jobs.get(id ?? '')
  if (!job) return json(response, 404, { error: { code: 'no_such_job', message: `${id} is unknown` } })
  if (request.method === 'DELETE') return stop(fake, job, response)
  job.looks++
  return json(response, 200, { id, ...(job.stopped ? { state: 'stopped' } : stateOf(job, filesOf(fake.url, job.behaviour))) })
}

async function takeIn(fake: Fake, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const body = JSON.parse(Buffer.concat(await request.toArray()).toString()) as Accepted['body']
  const busy = busyNow(fake)
  if (busy) return json(response, busy.status, { error: { code: 'no_room', message: 'Come back later.' } }, busy.headers)
  const refusal = refusalOf(fake.behaviour)
  if (refusal) return json(response, refusal.status, { error: refusal.error })
  let id = ''
  const take = () => {
    id = idOfWork(fake, String(request.headers['idempotency-key']), body)
  }
  if (isAnswered(fake, { request, response }, take)) json(response, 201, { id })
}

/** A repeat with the same key returns the same work. */
function idOfWork(fake: Fake, idempotencyKey: string, body: Accepted['body']): string {
  const known = fake.accepted.find((each) => each.idempotencyKey === idempotencyKey)
  if (known) return known.id
  const id = `job${fake.accepted.length + 1}`
  fake.accepted.push({ id, body, idempotencyKey })
  fake.jobs.set(id, { behaviour: fake.behaviour, looks: 0, stopped: false })
  return id
}

function stop(fake: Fake, job: LanternWork, response: ServerResponse): void {
  const id = [...fake.jobs].find(([, each]) => each === job)?.[0] ?? ''
  job.stopped = true
  fake.cancelled.push(id)
  json(response, 200, { id, state: 'stopped' })
}

function json(response: ServerResponse, status: number, body: object, headers: Record<string, string> = {}): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body))
}
