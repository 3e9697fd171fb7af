/** Asks anew when the last answer is older than so many milliseconds, and never twice at once. A failure is an answer, too. */
export function onceIn<Answer>(milliseconds: number, ask: () => Promise<Answer>): () => Promise<Answer> {
  let last: { at: number; answer: Promise<Answer> } | undefined
  return () => {
    if (!last || performance.now() - last.at >= milliseconds) last = { at: performance.now(), answer: ask() }
    return last.answer
  }
}
