import { untraced } from '../tracing/tracing.ts'
import { makeBatchLoop } from './batchLoop.ts'

type Call<Item, Result> = { item: Item; resolve(result: Result): void; reject(error: unknown): void }

export type BatcherOptions = {
  /** Largest batch. */
  atOnceMax: number
  /** True for an error that no item caused: the whole batch fails with it. After any other error, each item is retried alone. */
  isShared?(error: unknown): boolean
}

/**
 * Batches calls: those that arrive during a batch share the next one. `run` gets the items and returns one result per item, in their
 * order. One batch runs at a time. An item that fails does not affect the others.
 */
export function makeBatcher<Item, Result>(
  run: (items: Item[]) => Promise<Result[]>,
  { atOnceMax, isShared = () => false }: BatcherOptions,
): (item: Item) => Promise<Result> {
  let waiting: Call<Item, Result>[] = []
  const loop = makeBatchLoop(async () => {
    const calls = waiting.slice(0, atOnceMax)
    waiting = waiting.slice(atOnceMax)
    await settle(calls)
    if (waiting.length > 0) loop.soon()
    return undefined
  })

  async function settle(calls: Call<Item, Result>[]): Promise<void> {
    try {
      const results = await run(calls.map(({ item }) => item))
      calls.forEach(({ resolve }, index) => resolve(results[index] as Result))
    } catch (error) {
      if (calls.length <= 1 || isShared(error)) for (const { reject } of calls) reject(error)
      else for (const call of calls) await settle([call])
    }
  }

  return (item) =>
    new Promise<Result>((resolve, reject) => {
      waiting.push({ item, resolve, reject })
      untraced(loop.soon)
    })
}
