import type { FastifyInstance } from 'fastify'
import type { z } from 'zod'
import { type HttpOptions, startHttp } from '../../src/cli/boot/httpRole.ts'
import { makeReadiness } from '../../src/cli/boot/readiness.ts'
import { newId } from '../../src/contract/ids.ts'
import type { account } from '../../src/contract/shapes/account.ts'
import type { PublicEstimate } from '../../src/contract/shapes/estimate.ts'
import type { PublicGeneration } from '../../src/contract/shapes/generation.ts'
import type { KeyRecord } from '../../src/contract/shapes/keyRecord.ts'
import type { CancelledGeneration } from '../../src/contract/shapes/startedGeneration.ts'
import type { WebhookRecord } from '../../src/contract/shapes/webhookRecord.ts'
import { keepAlive } from '../../src/database/liveness/liveness.ts'
import type { Services } from '../../src/domain/context.ts'
import type { App } from '../../src/http/app.ts'
import { startWorker, type WorkerOptions } from '../../src/jobs/runners/worker.ts'
import { parseCidrs } from '../../src/network/addresses.ts'
import { ownAddressesOf } from '../../src/network/ownAddresses.ts'
import { makeRegistry, type ProviderRegistry } from '../../src/providers/registry.ts'
import { watchResponses } from './http/watchResponses.ts'
import { sharedSandbox } from './media/sharedWorkers.ts'
import { familiarPort, returnPort } from './processes/freePort.ts'
import { type TestServices, testServices } from './services.ts'

export type Answered = {
  status: number
  headers: Record<string, string | undefined>
  text: string
  body: AnsweredBody
}

/** The union of all JSON answers; only the fields of the called endpoint are set. */
export type AnsweredBody = Omit<PublicGeneration, 'error'> &
  PublicEstimate &
  CancelledGeneration &
  z.output<typeof account> & {
    error: { code: string; reason: string; message: string; retryable: boolean; hint: string; details: Record<string, unknown> }
    replayed: boolean
    items: AnsweredBody[]
    nextCursor: string | null
    id: string
    available: boolean
    lockReason: string
    fileId: string
    apiKey: KeyRecord
    name: string
    value: string
    subscription: WebhookRecord
    signingSecret: string
    eventNumber: number
  }

export type Asked = {
  /** The bearer token. */
  key?: string
  /** Sent as JSON unless it is text or bytes. */
  body?: unknown
  headers?: Record<string, string>
}

export type TestApp = TestServices & {
  app: App
  fastify: FastifyInstance
  processId: string
  port: number
  /** Without a trailing slash; result links start with it. */
  origin: string
  /** Requests such as `GET /families` below `/api/v1`, without a socket. Start the path with `//` for the root, or with an origin. */
  ask(what: string, asked?: Asked): Promise<Answered>
}

export type TestAppOptions = NonNullable<Parameters<typeof testServices>[0]> & {
  timeouts?: HttpOptions['timeouts']
  connectionLimits?: HttpOptions['connectionLimits']
  anonymousInProgressMax?: number
  serviceToken?: string
  /** CIDRs in the format of TRUSTED_PROXIES. */
  trustedProxies?: string
  /** An OpenID Connect provider. */
  oidc?: HttpOptions['config']['oidc']
  processId?: string
  /** Also runs jobs: with the sandbox, or with these providers. */
  worker?: boolean | ((services: Services) => ProviderRegistry)
  /** Sends heartbeats and watches other processes, as in production; only for tests of that. */
  alive?: boolean
  /** Accepts responses that the OpenAPI document does not describe. */
  undescribed?: boolean
}

/** So high that only tests with lower limits reach them. */
const wideLimits = { requestsPerMinute: 1_000_000, requestsInProgress: 10_000 }

/**
 * The whole service in this process over {@link testServices}, as started by the command line, on a free port and without a socket
 * through `ask`. Every response is checked against our OpenAPI document; a mismatch fails the test.
 */
export async function testApp({ worker = false, ...options }: TestAppOptions = {}): Promise<TestApp> {
  const port = await familiarPort()
  const origin = `http://127.0.0.1:${port}`
  const own = await testServices({
    ...options,
    settings: { ...wideLimits, publicUrl: origin, ownAddresses: await ownAddressesOf([], [origin]), ...options.settings },
  })
  const processId = options.processId ?? newId('proc')
  const config: HttpOptions['config'] = {
    serviceToken: options.serviceToken,
    trustedProxies: parseCidrs(options.trustedProxies ?? ''),
    oidc: options.oidc,
    database: { kind: 'external', url: own.databaseUrl },
  }
  const role = await startHttp(own.services, {
    config,
    listeners: [{ serves: 'everything', host: '127.0.0.1', port }],
    processId,
    readiness: makeReadiness(own.services),
    ...(options.timeouts ? { timeouts: options.timeouts } : {}),
    ...(options.connectionLimits ? { connectionLimits: options.connectionLimits } : {}),
    ...(options.anonymousInProgressMax ? { anonymousInProgressMax: options.anonymousInProgressMax } : {}),
  })
  const alive = {
    url: own.databaseUrl,
    pool: own.services.pool,
    processId,
    roles: ['http'],
    queues: [],
    log: own.services.log,
    pollIntervalMs: 100,
  }
  const liveness = options.alive ? await keepAlive(alive) : undefined
  const process = {
    processId,
    onPool: liveness?.addWorkerPool ?? (() => undefined),
    onPoolEnd: liveness?.removeWorkerPool ?? (() => undefined),
  }
  const stopWorking = worker ? await startWorking(own, worker, process) : undefined
  const [app] = role.apps as [App]
  if (!options.undescribed) watchResponses(app.fastify)
  return {
    ...own,
    app,
    fastify: app.fastify,
    processId,
    port,
    origin,
    ask: (what, asked) => ask(app.fastify, origin, what, asked),
    close: async () => {
      await role.drain()
      await stopWorking?.()
      await liveness?.close()
      await own.close()
      returnPort(port)
    },
  }
}

async function ask(fastify: FastifyInstance, origin: string, what: string, { key, body, headers = {} }: Asked = {}): Promise<Answered> {
  const space = what.indexOf(' ')
  const path = what.slice(space + 1)
  const plain = body === undefined || typeof body === 'string' || Buffer.isBuffer(body)
  const url = path.startsWith(origin) ? path.slice(origin.length) : path.startsWith('//') ? path.slice(1) : `/api/v1${path}`
  const response = await fastify.inject({
    method: what.slice(0, space),
    url,
    headers: {
      ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { payload: plain ? body : JSON.stringify(body) }),
  })
  const isJson = String(response.headers['content-type']).startsWith('application/json')
  return {
    status: response.statusCode,
    headers: response.headers as Answered['headers'],
    text: response.payload,
    body: isJson && response.payload !== '' ? JSON.parse(response.payload) : undefined,
  }
}

async function startWorking(
  { services, databaseUrl }: Pick<TestServices, 'services' | 'databaseUrl'>,
  worker: true | ((services: Services) => ProviderRegistry),
  process: Pick<WorkerOptions, 'processId' | 'onPool' | 'onPoolEnd'>,
): Promise<() => Promise<void>> {
  const shutdown = new AbortController()
  const providers = worker === true ? makeRegistry([sharedSandbox()]) : worker(services)
  const jobs = { services, providers, shutdown: shutdown.signal }
  const running = await startWorker(jobs, {
    pool: services.pool,
    databaseUrl,
    concurrency: 20,
    ...process,
  })
  return async () => {
    shutdown.abort()
    await running.stop()
    await providers.close()
  }
}
