import type { Issue } from './refusals.ts'

/** Longer names than any of ours are compared with nothing, since the work grows with the square. */
const comparedMax = 64

/**
 * The one of `names` that was probably meant by `sent`: the same but for upper and lower case, or a few letters off, two that changed
 * places being one fault. Of several as near the first; `undefined` where none is near. Made for refusals: nothing else should call it.
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

/** An issue about `sent`, with the one of `names` that was probably meant, where there is one. */
export function withNearestName(issue: Issue, sent: unknown, names: Iterable<unknown>): Issue {
  const nearest = nearestName(sent, names)
  return nearest === undefined ? issue : { ...issue, message: appendSuggestion(issue.message, nearest), nearest }
}

/** A message with the question behind it. */
export function appendSuggestion(message: string, nearest: string): string {
  return `${message} Did you mean "${nearest}"?`
}

/** A third of the letters, but no more than three: words that share less are others. */
function editDistanceMax(length: number): number {
  return Math.min(3, Math.floor(length / 3))
}

/** How many letters were added, left out, exchanged, or changed places with their neighbours. */
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
