import type { Balancer } from '../chaos/balancer.ts'
import { type Acknowledged, type Load, startLoad } from '../chaos/load.ts'

/** Starts that continue until stopped. `acknowledged`: all starts answered with 201 so far, by idempotency key. */
export type SteadyLoad = {
  acknowledged: Map<string, Acknowledged>
  /** The last acknowledged generation. */
  newest(): string | undefined
  /** Resolves once every start was answered with 201; throws if one never was. */
  end(): Promise<void>
}

const roundSeconds = 2

/** A fixed number of starts per second, in rounds, for as long as the change of releases takes. */
export function startSteadyLoad(
  balancer: Balancer,
  { key, name, startsPerSecond }: { key: string; name: string; startsPerSecond: number },
): SteadyLoad {
  const acknowledged: SteadyLoad['acknowledged'] = new Map()
  const ending = new AbortController()
  let current: Load | undefined

  async function goOn(): Promise<void> {
    for (let round = 1; !ending.signal.aborted; round++) {
      const options = { key, name: `${name}-${round}`, count: roundSeconds * startsPerSecond, overMs: roundSeconds * 1000 }
      current = startLoad(balancer, options)
      await current.done
      for (const [each, start] of current.acknowledged) acknowledged.set(each, start)
    }
  }

  // Handled from here on, because an early rejection would be unhandled.
  const going = Promise.allSettled([goOn()])
  return {
    acknowledged,
    newest: () => [...(current?.acknowledged.values() ?? [])].at(-1)?.generationId,
    async end() {
      ending.abort()
      const [outcome] = await going
      if (outcome.status === 'rejected') throw outcome.reason
    },
  }
}
