/**
 * A bounded queue in which owners take turns: whoever brings many items waits behind those who bring few. Items of one owner keep
 * their order.
 */
export type FairQueue<Item> = {
  readonly length: number
  /** `false` when the queue is full; the item is not taken then. */
  add(owner: string, item: Item): boolean
  take(): Item | undefined
  /** Takes one item out of its turn; no error when it is not there any more. */
  remove(owner: string, item: Item): void
}

export function makeFairQueue<Item>(itemsMax: number): FairQueue<Item> {
  // A map keeps the order of insertion, which is the order of turns: who was served goes to its end.
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
