/**
 * Does `work` for each item, `atOnce` side by side, and takes no item before somebody is free for it. After a failure nobody begins
 * another; rejects with the first, once those under way have come to their end.
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
