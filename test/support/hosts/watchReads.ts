import { setTimeout as pause } from 'node:timers/promises'
import type { Load } from '../chaos/load.ts'
import type { ChaosTeam } from '../chaos/operator.ts'
import type { ServiceProcess } from '../chaos/serviceProcess.ts'

/** Lists of the history that were answered, and those that lacked a start which any process had acknowledged before. */
export type Reads = { answered: number; stale: number }

const intervalMs = 200
const answerMs = 6_000

/** Searches the history at `server` for the newest acknowledged generation, until the returned function is called. */
export function watchReads(server: ServiceProcess, { key }: ChaosTeam, { acknowledged }: Load, reads: Reads): () => Promise<void> {
  const ending = new AbortController()
  const history = `http://${server.host}:${server.port}/api/v1/generations`

  async function readOnce(): Promise<void> {
    const expected = [...acknowledged.values()].at(-1)
    if (!expected) return
    // By its reference, because a start that was repeated for long may be on a later page.
    const response = await fetch(`${history}?reference=${expected.key}`, {
      headers: { authorization: `Bearer ${key}` },
      signal: AbortSignal.timeout(answerMs),
    })
    const text = await response.text()
    if (!response.ok) return
    reads.answered += 1
    if (!text.includes(expected.generationId)) reads.stale += 1
  }

  const reading = (async () => {
    while (!ending.signal.aborted) {
      await readOnce().catch(() => undefined)
      await pause(intervalMs, undefined, { signal: ending.signal }).catch(() => undefined)
    }
  })()
  return async () => {
    ending.abort()
    await reading
  }
}
