import type { FastifyReply, FastifyRequest } from 'fastify'
import { sortByCheckOrder } from '../contract/refusals/orderOfChecks.ts'
import { Refusal } from '../contract/refusals/refusals.ts'
import type { KeyActor } from '../domain/access/actor.ts'
import type { Admission, AdmissionBatcher } from '../domain/access/admission/admissionBatcher.ts'
import type { FoundKey, FoundSession } from '../domain/access/admission/admitRequests.ts'
import { checkKeyAccess, keyActorFor, requireActiveSubscription, requireScope } from '../domain/access/keys/checkKeyAccess.ts'
import type { Clock, Settings } from '../domain/context.ts'
import { invariant } from '../domain/invariant.ts'
import type { Scope } from '../entities/ApiKey.ts'
import type { Generation } from '../entities/Generation.ts'
import type { AddressLimits } from './addressLimits.ts'
import { rateHeaders, secondsLeft } from './rateHeaders.ts'
import { bearerOf } from './serviceCaller.ts'

export type AdmissionOptions = {
  gate: AdmissionBatcher
  clock: Clock
  settings: Pick<Settings, 'requestsPerMinute' | 'requestsInProgress'>
  /** Whom a request without a valid key is counted for. */
  addressOf(request: FastifyRequest): string
  /** Limits requests that hold no slot of a user. */
  addressLimits: AddressLimits
  /** Notes that the key was used, when it is worth a write. */
  recordKeyUse(keyId: string): void
}

/** Who was let in, and the generation that they ask about, where one of theirs has that identifier. */
export type AdmittedCaller = { actor: KeyActor; generation: Generation | undefined }

/** At which door, which the scope `mcp` alone opens for agents, and about which generation, if any. */
export type Entry = { scope: Scope; generationId?: string | undefined }

/** A request that was counted, and what it asks for. `presented` is what stands behind the bearer of its header. */
type Arrival = { presented: string | undefined; admitted: Admission; scope: Scope; options: AdmissionOptions }

/**
 * What a request must pass to be let in. A flood without a valid key is refused by its rate instead.
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
    requireSlot(admitted, options)
  },
  'account, team and role': ({ admitted, scope, options }) => checkKeyAccess(keyOf(admitted), scope, options.clock.now()),
  scope: ({ admitted, scope }) => {
    requireScope(keyOf(admitted), scope)
    if (scope === 'mcp') requireActiveSubscription(keyOf(admitted))
  },
})

/**
 * Lets a request in or refuses it, in the order of the contract. Sets the headers that tell of both limits, whatever comes of it, and
 * frees the slot when the answer is done or the client is gone. Refusals: those of the stages up to `scope`.
 * With the scope `mcp` it is the door for agents. Contract: docs/contract.md#authentication, docs/contract.md#agent-keys.
 */
export async function admit(
  request: FastifyRequest,
  reply: FastifyReply,
  { scope, generationId }: Entry,
  options: AdmissionOptions,
): Promise<AdmittedCaller> {
  const presented = bearerOf(request.headers.authorization)
  const admitted = await count(request, reply, { presented, generationId }, options)
  for (const check of checks) check({ presented, admitted, scope, options })
  const key = keyOf(admitted)
  options.recordKeyUse(key.keyId)
  const actor = { ...keyActorFor(scope === 'mcp' ? 'mcp' : 'rest', key), valueHash: admitted.valueHash }
  return { actor, generation: admitted.generation }
}

/**
 * Counts a request to an address that takes no key, or that is none of ours, by the key it carries or its address.
 * Refusals: rate_limited, too_many_concurrent.
 */
export async function countRequest(request: FastifyRequest, reply: FastifyReply, options: AdmissionOptions): Promise<void> {
  const admitted = await count(request, reply, { presented: bearerOf(request.headers.authorization) }, options)
  requireRate(admitted, options)
  if (!admitted.slotGranted) options.addressLimits.acquireSlot(request, reply)
}

/**
 * Counts a request by its session, or by its address when that is none; gives the session. It counts towards the person's rate and takes
 * one of their slots, as requests with their keys do. Refusals: rate_limited, too_many_concurrent.
 */
export async function admitSession(
  request: FastifyRequest,
  reply: FastifyReply,
  digest: Buffer | undefined,
  options: AdmissionOptions,
): Promise<FoundSession | undefined> {
  const admitted = applyAdmission(reply, await options.gate.admitSession(digest, options.addressOf(request)), options)
  requireRate(admitted, options)
  if (admitted.session) requireSlot(admitted, options)
  else options.addressLimits.acquireSlot(request, reply)
  return admitted.session
}

/**
 * Counts so many more requests of a person who was let in by {@link admitSession}, and renews the headers that tell of their rate.
 * Refusals: rate_limited.
 */
export async function countExtraRequests(
  reply: FastifyReply,
  { userId, requests }: { userId: string; requests: number },
  options: AdmissionOptions,
): Promise<void> {
  const counted = await options.gate.countExtraRequests(userId, requests)
  reply.headers(rateHeaders(counted, options))
  requireRate(counted, options)
}

function keyOf({ key }: Admission): FoundKey {
  invariant(key, 'a request without a valid key is refused before anything is asked of its key')
  return key
}

async function count(
  request: FastifyRequest,
  reply: FastifyReply,
  { presented, generationId }: { presented: string | undefined; generationId?: string | undefined },
  options: AdmissionOptions,
): Promise<Admission> {
  return applyAdmission(reply, await options.gate.admit(presented, options.addressOf(request), generationId), options)
}

/** Sets the headers that tell of both limits, and frees the slot when the answer is done or the client is gone. */
function applyAdmission(reply: FastifyReply, admitted: Admission, options: AdmissionOptions): Admission {
  if (reply.raw.closed || reply.raw.destroyed) admitted.releaseSlot()
  else reply.raw.once('close', admitted.releaseSlot)
  reply.headers(rateHeaders(admitted, options))
  return admitted
}

function requireSlot({ slotGranted }: Admission, { settings }: AdmissionOptions): void {
  if (!slotGranted) throw new Refusal('too_many_concurrent', { limit: settings.requestsInProgress, retryAfterSeconds: 1 })
}

function requireRate(admitted: Pick<Admission, 'requestsCounted' | 'windowEndsAt'>, { settings, clock }: AdmissionOptions): void {
  if (admitted.requestsCounted <= settings.requestsPerMinute) return
  throw new Refusal('rate_limited', { limit: settings.requestsPerMinute, retryAfterSeconds: secondsLeft(admitted, clock) })
}
