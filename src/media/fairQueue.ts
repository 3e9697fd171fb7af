/**
 * A bounded queue with round-robin between owners, so that an owner with many items does not delay others. Items of one owner keep their
 * order.
 */
export type FairQueue<Item> = {
  readonly length: number
  /** Returns `false` when the queue is full; the item is not added. */
  add(owner: string, item: Item): boolean
  take(): Item | undefined
  /** Removes one item. Does nothing when it is no longer queued. */
  remove(owner: string, item: Item): void
}

export function makeFairQueue<Item>(itemsMax: number): FairQueue<Item> {
  // A map keeps insertion order. A served owner is moved to the end.
  const waiting = new Map<string, Item[]>()
  let length = 0
  return {
    get length() {
      return length
    },
    add(owner, item) {
      if (length >= itemsMax) return false
      const items = waiting.get(owner)
      if (items === undefined) waiting.set(owner, [item])
      else items.push(item)
      length += 1
      return true
    },
    take() {
      const next = waiting.entries().next()
      if (next.done === true) return undefined
      const [owner, items] = next.value
      const item = items.shift()
      waiting.delete(owner)
      if (items.length > 0) waiting.set(owner, items)
      length -= 1
      return item
    },
    remove(owner, item) {
      const items = waiting.get(owner)
      const index = items?.indexOf(item) ?? -1
      if (items === undefined || index === -1) return
      items.splice(index, 1)
      if (items.length === 0) waiting.delete(owner)
      length -= 1
    },
  }
}
