import type { Issue } from './refusals.ts'

/** Longer names are not compared: the work grows with the square of the length. */
const comparedMax = 64

/**
 * The most similar of `names` to `sent`, ignoring case; the first of several with the same edit distance. `undefined` when none is within
 * {@link editDistanceMax}. A transposition of neighbours counts as one edit. For refusals only.
 */
export function nearestName(sent: unknown, names: Iterable<unknown>): string | undefined {
  if (typeof sent !== 'string' || sent.length > comparedMax) return undefined
  const text = sent.toLowerCase()
  let nearest: { name: string; faults: number } | undefined
  for (const name of names) {
    if (typeof name !== 'string' || name === sent || name.length > comparedMax) continue
    const most = editDistanceMax(Math.max(text.length, name.length))
    if (Math.abs(name.length - text.length) > most) continue
    const faults = editDistance(text, name.toLowerCase())
    if (faults <= most && faults < (nearest?.faults ?? Infinity)) nearest = { name, faults }
  }
  return nearest?.name
}

/** The issue with the most similar of `names`, if there is one. */
export function withNearestName(issue: Issue, sent: unknown, names: Iterable<unknown>): Issue {
  const nearest = nearestName(sent, names)
  return nearest === undefined ? issue : { ...issue, message: appendSuggestion(issue.message, nearest), nearest }
}

/** Appends the suggestion to a message. */
export function appendSuggestion(message: string, nearest: string): string {
  return `${message} Did you mean "${nearest}"?`
}

/** At most a third of the letters and at most three. */
function editDistanceMax(length: number): number {
  return Math.min(3, Math.floor(length / 3))
}

/** The number of insertions, deletions, substitutions and transpositions of neighbours (Damerau-Levenshtein). */
function editDistance(left: string, right: string): number {
  let before: number[] = []
  let last = Array.from({ length: right.length + 1 }, (_, column) => column)
  for (let row = 1; row <= left.length; row += 1) {
    const next = [row]
    for (let column = 1; column <= right.length; column += 1) {
      const isSame = left[row - 1] === right[column - 1]
      const cheapest = Math.min((last[column] ?? 0) + 1, (next[column - 1] ?? 0) + 1, (last[column - 1] ?? 0) + (isSame ? 0 : 1))
      const changedPlaces = row > 1 && column > 1 && left[row - 1] === right[column - 2] && left[row - 2] === right[column - 1]
      next.push(changedPlaces ? Math.min(cheapest, (before[column - 2] ?? 0) + 1) : cheapest)
    }
    before = last
    last = next
  }
  return last[right.length] ?? 0
}
