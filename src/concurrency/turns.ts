/** Does what is asked for under one key one after another, in the order in which it was asked for; keys do not wait for each other. */
type Turns = <Result>(key: string, work: () => Promise<Result>) => Promise<Result>

/** What fails takes nobody else's turn. A key that nobody waits for is forgotten. */
export function takeTurns(): Turns {
  const last = new Map<string, Promise<unknown>>()
  return async (key, work) => {
    const mine = (last.get(key) ?? Promise.resolve()).then(work)
    const over = mine.then(
      () => undefined,
      () => undefined,
    )
    last.set(key, over)
    try {
      return await mine
    } finally {
      if (last.get(key) === over) last.delete(key)
    }
  }
}
