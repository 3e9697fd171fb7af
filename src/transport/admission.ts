import type { FastifyReply, FastifyRequest } from 'fastify'
import { Refusal } from '../contract/refusals.ts'
import type { KeyActor } from '../domain/access/actor.ts'
import { judgeRestKey } from '../domain/access/judgeKey.ts'
import type { Admitted, RequestGate } from '../domain/access/requestGate.ts'
import type { Clock, Settings } from '../domain/context.ts'
import type { Scope } from '../entities/ApiKey.ts'
import { bearerOf } from './bearer.ts'

export type AdmissionOptions = {
  gate: RequestGate
  clock: Clock
  settings: Pick<Settings, 'requestsPerMinute' | 'requestsInProgress'>
  /** Notes that the key was used, when it is worth a write. */
  noteUse(keyId: string): void
}

/**
 * Lets a request in or refuses it, in the order of the contract: key, rate, concurrency, account, scope. Sets the headers that tell
 * of both limits, whatever comes of it, and frees the slot when the answer is done or the client is gone.
 * Refusals: unauthorized, invalid_token, rate_limited, too_many_concurrent, those of judgeRestKey.
 * Spec: Authentication; Limits.
 */
export async function admit(request: FastifyRequest, reply: FastifyReply, scope: Scope, options: AdmissionOptions): Promise<KeyActor> {
  const presented = bearerOf(request.headers.authorization)
  const admitted = await count(request, reply, presented, options)
  const { key } = admitted
  if (admitted.requestsCounted > options.settings.requestsPerMinute) throw tooManyRequests(admitted, options)
  if (presented === undefined) throw new Refusal('unauthorized')
  if (!key) throw new Refusal('invalid_token')
  if (!admitted.slotGranted) {
    const details = { limit: options.settings.requestsInProgress, retryAfterSeconds: 1 }
    throw new Refusal('too_many_concurrent', details)
  }
  const actor = judgeRestKey(key, scope, options.clock.now())
  options.noteUse(key.keyId)
  return actor
}

/** Counts a request that reaches no endpoint, for its headers, by the key it carries or its address. Refusals: rate_limited. */
export async function admitUnmatched(request: FastifyRequest, reply: FastifyReply, options: AdmissionOptions): Promise<void> {
  const admitted = await count(request, reply, bearerOf(request.headers.authorization), options)
  if (admitted.requestsCounted > options.settings.requestsPerMinute) throw tooManyRequests(admitted, options)
}

async function count(
  request: FastifyRequest,
  reply: FastifyReply,
  presented: string | undefined,
  options: AdmissionOptions,
): Promise<Admitted> {
  const admitted = await options.gate.admit(presented, request.ip)
  if (reply.raw.closed || reply.raw.destroyed) admitted.leave()
  else reply.raw.once('close', admitted.leave)
  setLimitHeaders(reply, admitted, options)
  return admitted
}

function tooManyRequests(admitted: Admitted, { settings, clock }: AdmissionOptions): Refusal {
  return new Refusal('rate_limited', { limit: settings.requestsPerMinute, retryAfterSeconds: secondsLeft(admitted, clock) })
}

function secondsLeft({ windowEndsAt }: Pick<Admitted, 'windowEndsAt'>, clock: Clock): number {
  return Math.max(1, Math.ceil(windowEndsAt - clock.now().getTime() / 1000))
}

type Counted = Pick<Admitted, 'requestsCounted' | 'slotsUsed' | 'windowEndsAt'>

function setLimitHeaders(reply: FastifyReply, counted: Counted, options: AdmissionOptions): void {
  for (const [name, value] of Object.entries(limitHeaders(counted, options))) reply.header(name, value)
}

/** Spec: Limits, headers of every response; the additions follow draft-ietf-httpapi-ratelimit-headers. */
function limitHeaders(counted: Counted, { settings, clock }: Pick<AdmissionOptions, 'settings' | 'clock'>): Record<string, string> {
  const remaining = Math.max(0, settings.requestsPerMinute - counted.requestsCounted)
  return {
    'X-RateLimit-Limit': String(settings.requestsPerMinute),
    'X-RateLimit-Remaining': String(remaining),
    'X-RateLimit-Reset': String(counted.windowEndsAt),
    RateLimit: `"default";r=${remaining};t=${secondsLeft(counted, clock)}`,
    'RateLimit-Policy': `"default";q=${settings.requestsPerMinute};w=60`,
    'X-Concurrency-Limit': String(settings.requestsInProgress),
    'X-Concurrency-Remaining': String(Math.max(0, settings.requestsInProgress - counted.slotsUsed)),
  }
}

/** The same headers for a response that nothing was counted for, since the database did not answer. */
export function uncountedHeaders(options: Pick<AdmissionOptions, 'settings' | 'clock'>): Record<string, string> {
  const windowEndsAt = (Math.floor(options.clock.now().getTime() / 60_000) + 1) * 60
  return limitHeaders({ requestsCounted: 0, slotsUsed: 0, windowEndsAt }, options)
}
