import type { ServerResponse } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Refusal } from '../contract/refusals/refusals.ts'
import { makeAnonymousCounters } from '../domain/access/admission/anonymousCounters.ts'
import type { Clock } from '../domain/context.ts'

/**
 * Limits per client address in one process, without the database, for requests that hold no slot of a user. `addressOf` returns the
 * address: for IPv6 the /64, and behind a trusted proxy the client that the proxy names.
 */
export type AddressLimits = {
  /**
   * Takes one slot of the address until the response ends. Repeated calls for one response take one slot.
   * Refusals: too_many_concurrent.
   */
  acquireSlot(request: FastifyRequest, reply: FastifyReply): void
  /** Takes a slot and counts the request against the address's rate. Refusals: rate_limited, too_many_concurrent. */
  count(request: FastifyRequest, reply: FastifyReply): void
}

export type AddressLimitsOptions = {
  addressOf(request: FastifyRequest): string
  clock: Clock
  /** Limit of `count` per address. */
  requestsPerMinute: number
  inProgressMax: number
}

/** More than the browsers behind one address need at once. If all of them read slowly, they use about 100 MB. */
export const anonymousInProgressMax = 256

/** Assets and proxied requests are cheap, and a first visit needs about 40: this many count as one request. */
export const cheapRequestsPerRequest = 10

export function makeAddressLimits({ addressOf, clock, requestsPerMinute, inProgressMax }: AddressLimitsOptions): AddressLimits {
  const inProgress = new Map<string, number>()
  const withSlot = new WeakSet<ServerResponse>()
  const names = makeAnonymousCounters(clock)
  let window = { minute: 0, counts: new Map<string, number>() }

  function acquireSlot(request: FastifyRequest, { raw }: FastifyReply): void {
    if (withSlot.has(raw) || raw.closed || raw.destroyed) return
    const address = addressOf(request)
    const others = inProgress.get(address) ?? 0
    if (others >= inProgressMax) throw new Refusal('too_many_concurrent', { limit: inProgressMax, retryAfterSeconds: 1 })
    inProgress.set(address, others + 1)
    withSlot.add(raw)
    raw.once('close', () => {
      const left = (inProgress.get(address) ?? 1) - 1
      if (left > 0) inProgress.set(address, left)
      else inProgress.delete(address)
    })
  }

  return {
    acquireSlot,
    count(request, reply) {
      const seconds = clock.now().getTime() / 1000
      const minute = Math.floor(seconds / 60)
      if (minute !== window.minute) window = { minute, counts: new Map() }
      const address = addressOf(request)
      const name = names.counterOf(address)
      names.track(address)
      const counted = (window.counts.get(name) ?? 0) + 1
      window.counts.set(name, counted)
      if (counted > requestsPerMinute) {
        throw new Refusal('rate_limited', { limit: requestsPerMinute, retryAfterSeconds: Math.max(1, Math.ceil(60 - (seconds % 60))) })
      }
      acquireSlot(request, reply)
    },
  }
}
