/**
 * Memoizes the promise of `ask` for some milliseconds, so that concurrent calls share one read. Failures are memoized too. `isNew`: this
 * call started the read.
 */
export function memoizeFor<Answer>(milliseconds: number, ask: () => Promise<Answer>): () => { answer: Promise<Answer>; isNew: boolean } {
  let last: { at: number; answer: Promise<Answer> } | undefined
  return () => {
    if (last && performance.now() - last.at < milliseconds) return { answer: last.answer, isNew: false }
    last = { at: performance.now(), answer: ask() }
    return { answer: last.answer, isNew: true }
  }
}
