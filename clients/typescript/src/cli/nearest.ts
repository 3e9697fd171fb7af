/**
 * The most similar name to a mistyped text, if one is similar enough. Works like the suggestions in refusals, but accepts an exact name
 * too.
 */
export function nearest(text: string, names: readonly string[]): string | undefined {
  const typed = text.toLowerCase()
  const near = names
    .map((name) => ({ name, steps: steps(typed, name.toLowerCase()), stepsMax: stepsMax(Math.max(typed.length, name.length)) }))
    .filter((each) => each.steps <= each.stepsMax)
  return near.toSorted((one, other) => one.steps - other.steps)[0]?.name
}

function stepsMax(length: number): number {
  return Math.min(3, Math.floor(length / 3))
}

/** The number of insertions, deletions, replacements and swaps between two texts. */
function steps(one: string, other: string): number {
  let above: number[] = []
  let row = Array.from({ length: other.length + 1 }, (_, index) => index)
  for (let index = 0; index < one.length; index++) {
    const next = [index + 1]
    for (let at = 1; at <= other.length; at++) {
      const replaced = (row[at - 1] ?? 0) + (one[index] === other[at - 1] ? 0 : 1)
      const isSwap = at > 1 && index > 0 && one[index] === other[at - 2] && one[index - 1] === other[at - 1]
      const swapped = isSwap ? (above[at - 2] ?? 0) + 1 : Infinity
      next.push(Math.min(replaced, swapped, (row[at] ?? 0) + 1, (next[at - 1] ?? 0) + 1))
    }
    above = row
    row = next
  }
  return row.at(-1) ?? 0
}
