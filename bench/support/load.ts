import { fork } from 'node:child_process'
import { once } from 'node:events'

export type LoadOptions = {
  urls: string[]
  /** Connections to each URL. */
  connections: number
  seconds: number
  headers?: Record<string, string>
  /** Bearer keys, which the connections use in turn. */
  keys?: string[]
  method?: 'GET' | 'POST'
  body?: string
}

/** `loadMicros`: the processor time of the load generator per request. `refusals`: answers that were not 2xx. */
export type LoadResult = { count: number; refusals: number; seconds: number; loadMicros: number }

/** Sends load from a process of its own; see ../processes/loadGenerator.ts. Throws if any response was not 2xx. */
export async function load(options: LoadOptions): Promise<{ count: number; rate: number; loadMicros: number }> {
  const child = fork(new URL('../processes/loadGenerator.ts', import.meta.url), { execArgv: [], env: { PATH: process.env['PATH'] } })
  child.send(options)
  const [{ count, refusals, seconds, loadMicros }] = (await Promise.race([
    once(child, 'message'),
    once(child, 'exit').then(() => Promise.reject(new Error('the load generator failed'))),
  ])) as [LoadResult]
  if (refusals > 0) throw new Error(`${options.urls.join(', ')}: ${refusals} refusals`)
  return { count, rate: count / seconds, loadMicros }
}
