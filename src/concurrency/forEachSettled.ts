export type Settled<Item> = { done: Item[]; failed: { item: Item; error: unknown }[] }

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
