/**
 * Asks anew when the last answer is older than so many milliseconds, and never twice at once. A failure is an answer, too. `isNew`: this
 * call is the one that asked.
 */
export function memoizeFor<Answer>(milliseconds: number, ask: () => Promise<Answer>): () => { answer: Promise<Answer>; isNew: boolean } {
  let last: { at: number; answer: Promise<Answer> } | undefined
  return () => {
    if (last && performance.now() - last.at < milliseconds) return { answer: last.answer, isNew: false }
    last = { at: performance.now(), answer: ask() }
    return { answer: last.answer, isNew: true }
  }
}
