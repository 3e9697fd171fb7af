/**
 * Lets reads that are asked for in the same turn of the event loop share one look-up: `load` gets the keys, each once, and gives what
 * it found by key. Nothing is remembered between turns, so no answer is older than its question.
 */
export function batchedLookup<Key, Value>(load: (keys: Key[]) => Promise<Map<Key, Value>>): (key: Key) => Promise<Value | undefined> {
  let open: { keys: Set<Key>; found: Promise<Map<Key, Value>> } | undefined

  function begin(): { keys: Set<Key>; found: Promise<Map<Key, Value>> } {
    const keys = new Set<Key>()
    const turn = new Promise<void>((resolve) => setImmediate(resolve))
    const found = turn.then(() => {
      open = undefined
      return load([...keys])
    })
    return { keys, found }
  }

  return async (key) => {
    open ??= begin()
    const { keys, found } = open
    keys.add(key)
    return (await found).get(key)
  }
}
