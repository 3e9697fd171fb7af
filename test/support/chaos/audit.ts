import { createHash } from 'node:crypto'
import type { Generation } from '../../../clients/typescript/src/openapi.ts'
import { pictureFor } from '../billing/pictureFor.ts'
import { type Bill, billOf, type Work } from '../billing/work.ts'
import type { Attempt, Balancer } from './balancer.ts'
import type { Arrival } from './hookReceiver.ts'
import { type Acknowledged, billedKindOf, clientOf, pictureOf } from './load.ts'
import { type ChaosTeam, creditsGranted, type LoggedDelivery, type Operator } from './operator.ts'

/** The counted effects of one fault. */
export type Findings = {
  started: number
  ready: number
  /** Other endings, as `state` or `class/reason`. */
  ends: Record<string, number>
  /** Acknowledged, but missing in the history or not ended. */
  lost: number
  /** Idempotency keys with more than one generation. */
  duplicateStarts: number
  /** Differences of the account to its generations, costs of failed ones, and remaining holds: 0 each. */
  creditsMismatch: number
  creditsHeld: number
  /** Ended generations without exactly one event, or whose event did not arrive; and gaps in the numbers of events. */
  missingEvents: number
  gaps: number
  /** Repeated arrivals of an event, and arrivals of unknown events. */
  repeats: number
  unknownEvents: number
  refused: number
  refusedWithoutRetryAfter: number
  unanswered: number
  /** Results that could not be fetched, or are not the requested image. */
  broken: number
  /** The bill of the billing vendor. */
  bill: Bill
  /**
   * Seconds from the end of the fault: the last failed answer, and the last end and event of earlier work. Work that the vendor
   * that bills finished later counts from then. Work that failed as `submit_unknown` has its own value.
   */
  answersAfter: number
  endsAfter: number
  eventsAfter: number
  unknownAfter: number
}

export type Evidence = {
  team: ChaosTeam
  acknowledged: Acknowledged[]
  attempts: Attempt[]
  arrivals: Arrival[]
  /** End of the fault, by `performance.now()`. */
  overAt: number
  /** What the vendor that bills was asked for by the team, by prompts that are the references; and when processes were killed. */
  works?: Work[]
  kills?: number[]
}

/** Checks all promises to a team, only through public interfaces. */
export async function audit(balancer: Balancer, operator: Operator, evidence: Evidence): Promise<Findings> {
  const { team, acknowledged, attempts, arrivals, overAt, works = [], kills = [] } = evidence
  const history = await readHistory(balancer, team)
  const known = new Map(history.map((generation) => [generation.generationId, generation]))
  const deliveries = await operator.deliveries(team)
  const account = await operator.account(team)
  const ready = history.filter(({ state }) => state === 'ready')
  const charged = history.reduce((sum, { creditsCharged }) => sum + (creditsCharged ?? 0), 0)
  // A cancelled generation costs the work that had started.
  const failed = history.filter(({ state }) => state === 'failed').reduce((sum, { creditsCharged }) => sum + (creditsCharged ?? 0), 0)
  const madeAt = new Map(works.map(({ prompt, madeAt: at = 0 }) => [prompt, at]))
  const before = acknowledged.filter(({ at }) => at < overAt)
  /** From when the service can be done with each. */
  const since = new Map(before.map(({ key, generationId }) => [generationId, Math.max(overAt, madeAt.get(key) ?? 0)]))
  const unknown = new Set(history.filter(({ error }) => error?.reason === 'submit_unknown').map(({ generationId }) => generationId))
  const finishedAt = before.map(
    ({ generationId: id }) => [id, Date.parse(known.get(id)?.finishedAt ?? '') - performance.timeOrigin] as const,
  )
  const told = firstArrivals(arrivals)
  const after = (moments: readonly (readonly [id: string, at: number])[], isUnknown: boolean) =>
    latest(moments.filter(([id]) => unknown.has(id) === isUnknown).map(([id, at]) => at - (since.get(id) ?? Infinity)))
  return {
    started: acknowledged.length,
    ready: ready.length,
    ends: countedEnds(history),
    lost: acknowledged.filter(({ generationId }) => !known.get(generationId)?.finishedAt).length,
    duplicateStarts: history.length - new Set(history.map(({ reference }) => reference)).size,
    creditsMismatch: Math.abs(creditsGranted - account.creditsAvailable - account.creditsHeld - charged) + failed,
    creditsHeld: account.creditsHeld,
    ...countedEvents(history, deliveries, arrivals),
    ...countedAnswers(attempts, overAt),
    broken: await countBroken(balancer, ready),
    bill: billOf(works, new Map(history.map(({ reference, state }) => [reference ?? '', state])), kills),
    endsAfter: after(finishedAt, false),
    eventsAfter: after(told, false),
    unknownAfter: after(told, true),
  }
}

async function readHistory(balancer: Balancer, { key }: ChaosTeam): Promise<Generation[]> {
  const found: Generation[] = []
  for await (const generation of clientOf(balancer, key).history({ pageItems: 50 })) found.push(generation)
  return found
}

function countedEnds(history: Generation[]): Record<string, number> {
  const ends: Record<string, number> = {}
  for (const { state, error } of history) {
    if (state === 'ready') continue
    const name = error ? `${error.code}/${error.reason}` : state
    ends[name] = (ends[name] ?? 0) + 1
  }
  return ends
}

function countedEvents(history: Generation[], deliveries: LoggedDelivery[], arrivals: Arrival[]) {
  const arrived = new Map<string, number>()
  for (const { eventId } of arrivals) arrived.set(eventId, (arrived.get(eventId) ?? 0) + 1)
  const byGeneration = Map.groupBy(deliveries, ({ generationId }) => generationId)
  const isTold = ({ generationId }: Generation) => {
    const events = byGeneration.get(generationId) ?? []
    return events.length === 1 && events.every(({ id, state }) => state === 'DELIVERED' && arrived.has(id))
  }
  const logged = new Set(deliveries.map(({ id }) => id))
  const numbers = new Set(deliveries.map(({ eventNumber }) => eventNumber))
  return {
    missingEvents: history.filter((generation) => generation.finishedAt && !isTold(generation)).length,
    gaps: deliveries.filter((_, index) => !numbers.has(index + 1)).length,
    repeats: arrivals.length - arrived.size,
    unknownEvents: [...arrived.keys()].filter((id) => !logged.has(id)).length,
  }
}

function countedAnswers(attempts: Attempt[], overAt: number) {
  const refused = attempts.filter(({ status }) => status !== undefined && status >= 500)
  const unanswered = attempts.filter(({ status }) => status === undefined)
  // A request without an answer has only the time of its start.
  const moments = [...refused.map(({ endedAt }) => endedAt), ...unanswered.map(({ begunAt }) => begunAt)]
  return {
    refused: refused.length,
    refusedWithoutRetryAfter: refused.filter(({ retryAfter }) => retryAfter === null).length,
    unanswered: unanswered.length,
    answersAfter: latest(moments.map((moment) => moment - overAt)),
  }
}

async function countBroken(balancer: Balancer, ready: Generation[]): Promise<number> {
  const digests = new Map<number, string>()
  let broken = 0
  for (const { reference, result } of ready) {
    const response = result?.url ? await balancer.fetch(result.url).catch(() => undefined) : undefined
    const bytes = new Uint8Array((await response?.arrayBuffer()) ?? [])
    const digest = digestOf(bytes)
    if (!response?.ok || bytes.length !== result?.sizeBytes || digest !== expectedDigest(reference ?? '', digest, digests)) broken += 1
  }
  return broken
}

/** Of the vendor's work what it makes of that prompt; of the sandbox's what the same picture was the first time, which is noted. */
function expectedDigest(reference: string, found: string, digests: Map<number, string>): string {
  if (billedKindOf(reference)) return digestOf(pictureFor(reference))
  const picture = pictureOf(reference)
  const first = digests.get(picture) ?? found
  digests.set(picture, first)
  return first
}

function digestOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex')
}

function firstArrivals(arrivals: Arrival[]): [string, number][] {
  const first = new Map<string, number>()
  for (const { generationId, at } of arrivals) if (!first.has(generationId)) first.set(generationId, at)
  return [...first]
}

/** The maximum of the milliseconds, in seconds, at least 0. */
function latest(milliseconds: number[]): number {
  return Math.max(0, ...milliseconds.filter(Number.isFinite).map((each) => each / 1000))
}
