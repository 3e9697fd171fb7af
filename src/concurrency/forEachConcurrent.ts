/**
 * Runs `work` for each item, `atOnce` concurrently, and takes an item only when a worker is free. After a failure no new item starts;
 * rejects with the first error once the running ones have ended.
 */
export async function forEachConcurrent<Item>(
  items: AsyncIterable<Item>,
  atOnce: number,
  work: (item: Item) => Promise<void>,
): Promise<void> {
  const iterator = items[Symbol.asyncIterator]()
  let failed = false
  let turn: Promise<unknown> = Promise.resolve()
  const next = (): Promise<IteratorResult<Item>> => {
    const taken = turn.then(() => iterator.next())
    turn = taken.catch(() => undefined)
    return taken
  }
  const worker = async () => {
    try {
      for (let item = await next(); !item.done && !failed; item = await next()) await work(item.value)
    } catch (error) {
      failed = true
      throw error
    }
  }
  const outcomes = await Promise.allSettled(Array.from({ length: atOnce }, worker))
  await iterator.return?.()
  const fault = outcomes.find((outcome) => outcome.status === 'rejected')
  if (fault) throw fault.reason
}

type Settled<Item> = { done: Item[]; failed: { item: Item; error: unknown }[] }

/** Runs `work` for each item, `atOnce` concurrently. A failed item does not stop the others. */
export async function forEachSettled<Item>(
  items: readonly Item[],
  atOnce: number,
  work: (item: Item) => Promise<unknown>,
): Promise<Settled<Item>> {
  const settled: Settled<Item> = { done: [], failed: [] }
  const left = items.values()
  const worker = async () => {
    for (const item of left) {
      try {
        await work(item)
        settled.done.push(item)
      } catch (error) {
        settled.failed.push({ item, error })
      }
    }
  }
  await Promise.all(Array.from({ length: atOnce }, worker))
  return settled
}
