import type { Balancer } from '../chaos/balancer.ts'
import { type Acknowledged, type Load, startLoad } from '../chaos/load.ts'

/** Starts that go on until they are told to end. `acknowledged`: by idempotency key, all that were answered with 201 so far. */
export type SteadyLoad = {
  acknowledged: Map<string, Acknowledged>
  /** The generation that was acknowledged last. */
  newest(): string | undefined
  /** Resolves once every start was answered with 201; throws where one never was. */
  end(): Promise<void>
}

const roundSeconds = 2

/** So many starts a second, a round of them after another, however long a change of releases takes on this machine. */
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

  // Watched from here on: what is thrown before the end would otherwise be nobody's.
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
