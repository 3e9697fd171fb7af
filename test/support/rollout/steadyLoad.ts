import type { Balancer } from '../chaos/balancer.ts'
import { type Acknowledged, type Load, startLoad } from '../chaos/load.ts'

/** A load that starts generations until `end` is called. */
export type SteadyLoad = {
  /** The starts of the finished rounds, all answered with 201, by idempotency key. startMixedLoad adds its own. */
  acknowledged: Map<string, Acknowledged>
  /** The id of the generation acknowledged last in the current round. */
  newest(): string | undefined
  /** Stops after the current round. Resolves when every start was answered with 201, and throws if a start never was. */
  end(): Promise<void>
}

const roundSeconds = 2

/** Starts generations at a fixed rate, in rounds, until `end` is called. */
export function startSteadyLoad(
  balancer: Balancer,
  { key, name, startsPerSecond }: { key: string; name: string; startsPerSecond: number },
): SteadyLoad {
  const acknowledged: SteadyLoad['acknowledged'] = new Map()
  const stop = new AbortController()
  let current: Load | undefined

  async function repeatRounds(): Promise<void> {
    for (let round = 1; !stop.signal.aborted; round++) {
      const options = { key, name: `${name}-${round}`, count: roundSeconds * startsPerSecond, overMs: roundSeconds * 1000 }
      current = startLoad(balancer, options)
      await current.done
      for (const [idempotencyKey, start] of current.acknowledged) acknowledged.set(idempotencyKey, start)
    }
  }

  // A round can fail before `end` is called: allSettled prevents an unhandled rejection.
  const rounds = Promise.allSettled([repeatRounds()])
  return {
    acknowledged,
    newest: () => [...(current?.acknowledged.values() ?? [])].at(-1)?.generationId,
    async end() {
      stop.abort()
      const [outcome] = await rounds
      if (outcome.status === 'rejected') throw outcome.reason
    },
  }
}
