import fc from 'fast-check'
import { webhookEvents } from '../../src/entities/WebhookSubscription.ts'
import type { TestApp } from '../support/app.ts'
import { aTeamWithKey } from '../support/factories.ts'
import { generationTransitions } from '../support/generations/generationTransitions.ts'
import { onePixel } from '../support/http/everyEndpoint.ts'
import { managerScopes, webhookAddress } from './bodies.ts'
import { type Seen, violationsOf } from './judge.ts'
import { type FuzzRequest, goodRequestOf, type Known, type Operation, operations, requestsOf } from './requests.ts'

export type Violation = { operationId: string; faults: string[]; request: object }

export type FuzzReport = {
  violations: Violation[]
  /** Number of answers by operation and status. */
  statuses: Record<string, Record<number, number>>
}

/**
 * Sends valid and odd requests to every operation of our document. The same seed creates the same requests, except for identifiers
 * created during the run. A violation contains its minimised request. Afterwards each operation must answer a valid request.
 * Pass an `app` that accepts undescribed responses (`undescribed`) and has high rate limits.
 */
export async function fuzz(
  app: TestApp,
  { seed, requestsPerOperation }: { seed: number; requestsPerOperation: (operationId: string) => number },
): Promise<FuzzReport> {
  const known = await prepared(app)
  const report: FuzzReport = { violations: [], statuses: {} }
  const waiting = [...operations]
  const driveNext = async (): Promise<void> => {
    for (let operation = waiting.shift(); operation; operation = waiting.shift()) {
      const violation = await drive(app, operation, { known, seed, count: requestsPerOperation(operation.operationId), report })
      if (violation) report.violations.push(violation)
    }
  }
  // Several at a time, so that the database works while requests are generated. With more, a busy machine refuses some for want of a connection.
  await Promise.all(Array.from({ length: operationsAtOnce }, driveNext))
  // Limits of a minute and of a day are used up.
  await app.clock.advance(25 * 3_600_000)
  // Deletions first: a team can have 100 webhooks.
  for (const operation of operations.toSorted((a, b) => Number(b.method === 'DELETE') - Number(a.method === 'DELETE'))) {
    const request = goodRequestOf(operation, known)
    const seen = await send(app, request)
    const faults = [...violationsOf(request, operation, seen), ...(seen.status < 300 ? [] : [`a good request was answered ${seen.status}`])]
    if (faults.length > 0) report.violations.push({ operationId: operation.operationId, faults, request: shown(request) })
  }
  return report
}

const operationsAtOnce = 8

type Run = { known: Known; seed: number; count: number; report: FuzzReport }

async function drive(app: TestApp, operation: Operation, { known, seed, count, report }: Run): Promise<Violation | undefined> {
  const { operationId } = operation
  const statuses: Record<number, number> = {}
  report.statuses[operationId] = statuses
  const property = fc.asyncProperty(requestsOf(operation, known), async (request) => {
    const seen = await send(app, request)
    statuses[seen.status] = (statuses[seen.status] ?? 0) + 1
    const faults = violationsOf(request, operation, seen)
    if (faults.length > 0) throw new Error(faults.join('; '))
  })
  const { failed, counterexample, errorInstance } = await fc.check(property, { seed, numRuns: count })
  if (!failed) return undefined
  const request = counterexample ? shown(counterexample[0]) : {}
  return { operationId, faults: [errorInstance instanceof Error ? errorInstance.message : String(errorInstance)], request }
}

async function send(app: TestApp, { method, url, headers, body }: FuzzRequest): Promise<Seen> {
  const payload = body === undefined ? {} : { payload: body }
  const response = await app.fastify.inject({ method, url: `/api/v1${url}`, headers, ...payload })
  // Otherwise hundreds of thousands of log lines would use up memory.
  app.logged.length = 0
  return { status: response.statusCode, headers: response.headers as Seen['headers'], body: response.payload }
}

function shown({ method, url, headers, body }: FuzzRequest): object {
  const text = body === undefined ? undefined : body.length > 2000 ? `${body.toString().slice(0, 2000)}… (${body.length})` : body.toString()
  return { method, url, headers: { ...headers, authorization: headers['authorization']?.slice(0, 10) }, body: text }
}

const cancellableGenerations = 100
/** The files, keys and webhooks for a caller that deletes them one by one. */
export const deletable = 10

async function prepared(app: TestApp): Promise<Known> {
  const { services } = app
  const { value: own } = await aTeamWithKey(services, { credits: 1_000_000_000, subscriptionActive: true, scopes: managerScopes })
  const { value: others, key: othersKey } = await aTeamWithKey(services, { scopes: managerScopes })
  const moves = generationTransitions(services)
  const upload = async (key: string) => (await app.ask('POST /files', { key, body: { base64: onePixel } })).body.fileId
  const start = async (key: string) =>
    (await app.ask('POST /generations', { key, body: { familyId: 'sandbox-image', prompt: 'a lighthouse' } })).body.generationId
  const issue = async () => (await app.ask('POST /keys', { key: own, body: { name: 'key', scopes: ['catalog:read'] } })).body['apiKey'].id
  const subscribe = async (key: string) =>
    (await app.ask('POST /webhooks', { key, body: { address: webhookAddress, events: webhookEvents } })).body['subscription'].id
  const several = <Made>(count: number, make: () => Promise<Made>) => Promise.all(Array.from({ length: count }, make))
  const webhookIds: string[] = await several(5, () => subscribe(own))
  const [ready, failed, cancelled, running] = [await start(own), await start(own), await start(own), await start(own)]
  await moves.begin(ready)
  await moves.gather(ready)
  await moves.finish(ready, Buffer.from(onePixel, 'base64'))
  await moves.fail(failed)
  await app.ask(`POST /generations/${cancelled}/cancel`, { key: own })
  await moves.begin(running)
  const openIds = [running]
  for (let count = 0; count < cancellableGenerations; count += 1) openIds.push(await start(own))
  const log = await app.ask('GET /deliveries', { key: own })
  // The good requests resume this webhook before they send its delivery again.
  const good = webhookIds.at(-1)
  const deliveriesOf = (wanted: (id: string) => boolean) =>
    (log.body.items as unknown as { id: string; subscriptionId: string }[])
      .filter(({ subscriptionId }) => wanted(subscriptionId))
      .map(({ id }) => id)
  const families = await app.ask('GET /families', { key: own })
  const pages = await Promise.all(
    ['?limit=1', '?limit=2', '?limit=1&status=active'].map((query) => app.ask(`GET /generations${query}`, { key: own })),
  )
  return {
    keys: { own, others },
    families: families.body.items as unknown as Known['families'],
    imageIds: [await upload(own), await upload(own)],
    doomedIds: await several(deletable, () => upload(own)),
    lastFileId: await upload(own),
    openIds,
    endedIds: [ready, failed, cancelled],
    keyIds: await several(5, issue),
    doomedKeyIds: await several(deletable + 1, issue),
    webhookIds,
    doomedWebhookIds: await several(deletable + 1, () => subscribe(own)),
    deliveryIds: [...deliveriesOf((id) => id !== good), ...deliveriesOf((id) => id === good)],
    othersIds: [await start(others), await upload(others), othersKey.id, await subscribe(others)],
    cursors: pages.map(({ body }) => String(body.nextCursor)),
    etags: [String(families.headers['etag'])],
  }
}
