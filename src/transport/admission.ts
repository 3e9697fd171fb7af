import type { FastifyReply, FastifyRequest } from 'fastify'
import { sortByCheckOrder } from '../contract/refusals/orderOfChecks.ts'
import { Refusal } from '../contract/refusals/refusals.ts'
import type { KeyActor } from '../domain/access/actor.ts'
import type { Admission, AdmissionBatcher } from '../domain/access/admission/admissionBatcher.ts'
import type { FoundKey, FoundSession } from '../domain/access/admission/admitRequests.ts'
import { checkKeyAccess, keyActorFor, requireActiveSubscription, requireScope } from '../domain/access/keys/checkKeyAccess.ts'
import type { KeyRefusalRecorder } from '../domain/access/keys/keyRefusalRecorder.ts'
import type { Clock, Settings } from '../domain/context.ts'
import { invariant } from '../domain/invariant.ts'
import type { Scope } from '../entities/ApiKey.ts'
import type { Generation } from '../entities/Generation.ts'
import type { AddressLimits } from './addressLimits.ts'
import { rateHeaders, secondsLeft } from './rateHeaders.ts'
import { addRequestLogFields } from './requestLogFields.ts'
import { bearerOf } from './serviceCaller.ts'

export type AdmissionOptions = {
  admissionBatcher: AdmissionBatcher
  clock: Clock
  settings: Pick<Settings, 'requestsPerMinute' | 'requestsInProgress'>
  /** The address that a request without a valid key counts for. */
  addressOf(request: FastifyRequest): string
  /** Limits requests that hold no slot of a user. */
  addressLimits: AddressLimits
  /** Updates the last use of the key, at most once a minute. */
  recordKeyUse(keyId: string): void
  /** Counts refused requests of keys. */
  keyRefusals: KeyRefusalRecorder
}

/** The admitted actor, and the generation with the requested identifier if the caller owns it. */
export type AdmittedCaller = { actor: KeyActor; generation: Generation | undefined }

/** The required scope (`mcp` for the MCP endpoint), and the generation in the path, if any. */
export type Entry = { scope: Scope; generationId?: string | undefined }

/** A counted request and its scope. `presented` is its bearer token. */
type Arrival = { presented: string | undefined; admitted: Admission; scope: Scope; options: AdmissionOptions }

/**
 * The checks of admission. The rate is checked before a missing key is refused, so that a flood without a valid key is rate limited.
 * Contract: docs/contract.md#order-of-checks, docs/contract.md#response-headers.
 */
const checks = sortByCheckOrder<(arrival: Arrival) => void>({
  key: ({ presented, admitted, options }) => {
    if (admitted.key) return
    requireRate(admitted, options)
    throw new Refusal(presented === undefined ? 'unauthorized' : 'invalid_token')
  },
  'rate and concurrency': ({ admitted, options }) => {
    requireRate(admitted, options)
    requireSlot(admitted)
  },
  'account, team and role': ({ admitted, scope, options }) => checkKeyAccess(keyOf(admitted), scope, options.clock.now()),
  scope: ({ admitted, scope }) => {
    requireScope(keyOf(admitted), scope)
    if (scope === 'mcp') requireActiveSubscription(keyOf(admitted))
  },
})

/**
 * Admits or refuses a request, in the order of the contract. Always sets the headers of both limits. Releases the slot when the response
 * ends or the client disconnects. The scope `mcp` is for agents. Refusals: those of the stages up to `scope`.
 * Contract: docs/contract.md#authentication, docs/contract.md#agent-keys.
 */
export async function admit(
  request: FastifyRequest,
  reply: FastifyReply,
  { scope, generationId }: Entry,
  options: AdmissionOptions,
): Promise<AdmittedCaller> {
  const presented = bearerOf(request.headers.authorization)
  const admitted = await count(request, reply, { presented, generationId }, options)
  addKeyToLog(request, admitted)
  for (const check of checks) check({ presented, admitted, scope, options })
  const key = keyOf(admitted)
  options.recordKeyUse(key.keyId)
  const actor = { ...keyActorFor(scope === 'mcp' ? 'mcp' : 'rest', key), valueHash: admitted.valueHash }
  return { actor, generation: admitted.generation }
}

/**
 * Counts a request to a path without authentication, or to an unknown path, by its key or else its client address.
 * Refusals: rate_limited, too_many_concurrent.
 */
export async function countRequest(request: FastifyRequest, reply: FastifyReply, options: AdmissionOptions): Promise<void> {
  const admitted = await count(request, reply, { presented: bearerOf(request.headers.authorization) }, options)
  addKeyToLog(request, admitted)
  requireRate(admitted, options)
  if (!admitted.slotGranted) options.addressLimits.acquireSlot(request, reply)
}

/**
 * Counts a request by its session, or without one by its client address. Returns the session. Like requests with the person's keys, it
 * counts against the person's rate and takes one of the person's slots. Refusals: rate_limited, too_many_concurrent.
 */
export async function admitSession(
  request: FastifyRequest,
  reply: FastifyReply,
  digest: Buffer | undefined,
  options: AdmissionOptions,
): Promise<FoundSession | undefined> {
  const admitted = applyAdmission(reply, await options.admissionBatcher.admitSession(digest, options.addressOf(request)), options)
  if (admitted.session) addRequestLogFields(request, { userId: admitted.session.userId })
  requireRate(admitted, options)
  if (admitted.session) requireSlot(admitted)
  else options.addressLimits.acquireSlot(request, reply)
  return admitted.session
}

/**
 * Counts additional requests of a person admitted by {@link admitSession}, and updates the rate headers. Refusals: rate_limited.
 */
export async function countExtraRequests(
  reply: FastifyReply,
  { userId, requests }: { userId: string; requests: number },
  options: AdmissionOptions,
): Promise<void> {
  const counted = await options.admissionBatcher.countExtraRequests(`session:${userId}`, requests)
  reply.headers(rateHeaders(counted, options.clock))
  requireRate(counted, options)
}

/**
 * Counts additional requests of a caller admitted by {@link admit}, and updates the rate headers. Returns how many of them are beyond the
 * rate, and the refusal for those.
 */
export async function countItems(
  reply: FastifyReply,
  { userId, requests }: { userId: string; requests: number },
  options: AdmissionOptions,
): Promise<{ beyond: number; refusal: Refusal | undefined }> {
  if (requests <= 0) return { beyond: 0, refusal: undefined }
  const counted = await options.admissionBatcher.countExtraRequests(`user:${userId}`, requests)
  reply.headers(rateHeaders(counted, options.clock))
  const refusal = rateRefusal(counted, options)
  return { beyond: Math.max(0, Math.min(requests, counted.requestsCounted - counted.limits.requestsPerMinute)), refusal }
}

function addKeyToLog(request: FastifyRequest, { key }: Admission): void {
  if (key) addRequestLogFields(request, { keyId: key.keyId, teamId: key.teamId, userId: key.userId })
}

function keyOf({ key }: Admission): FoundKey {
  invariant(key, 'a request without a valid key is refused before its key is read')
  return key
}

async function count(
  request: FastifyRequest,
  reply: FastifyReply,
  { presented, generationId }: { presented: string | undefined; generationId?: string | undefined },
  options: AdmissionOptions,
): Promise<Admission> {
  return applyAdmission(reply, await options.admissionBatcher.admit(presented, options.addressOf(request), generationId), options)
}

/** Sets the headers of both limits, and releases the slot when the response ends or the client disconnects. */
function applyAdmission(reply: FastifyReply, admitted: Admission, options: AdmissionOptions): Admission {
  if (reply.raw.closed || reply.raw.destroyed) admitted.releaseSlot()
  else reply.raw.once('close', admitted.releaseSlot)
  reply.headers(rateHeaders(admitted, options.clock))
  return admitted
}

function requireSlot({ slotGranted, limits }: Admission): void {
  if (!slotGranted) throw new Refusal('too_many_concurrent', { limit: limits.requestsInProgress, retryAfterSeconds: 1 })
}

type Counted = Pick<Admission, 'requestsCounted' | 'limits' | 'windowEndsAt'>

function requireRate(admitted: Counted, options: AdmissionOptions): void {
  const refusal = rateRefusal(admitted, options)
  if (refusal) throw refusal
}

function rateRefusal(admitted: Counted, { clock }: AdmissionOptions): Refusal | undefined {
  const limit = admitted.limits.requestsPerMinute
  if (admitted.requestsCounted <= limit) return undefined
  return new Refusal('rate_limited', { limit, retryAfterSeconds: secondsLeft(admitted, clock) })
}
