export type Settled<Item> = { done: Item[]; failed: { item: Item; error: unknown }[] }

/** Does `work` for each item, `atOnce` side by side, whatever becomes of the others. */
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
