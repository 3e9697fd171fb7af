/** The name that somebody meant who typed `text`, where one is near enough. */
export function nearest(text: string, names: readonly string[]): string | undefined {
  const far = Math.max(1, Math.floor(text.length / 3))
  const ranked = names.map((name) => ({ name, steps: distance(text, name) })).toSorted((one, other) => one.steps - other.steps)
  const [first] = ranked
  return first !== undefined && first.steps <= far ? first.name : undefined
}

/** How many characters have to be added, taken away or replaced. */
function distance(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, index) => index)
  for (const [index, character] of [...one].entries()) {
    const next = [index + 1]
    for (let at = 1; at <= other.length; at++) {
      const replaced = (row[at - 1] ?? 0) + (character === other[at - 1] ? 0 : 1)
      next.push(Math.min(replaced, (row[at] ?? 0) + 1, (next[at - 1] ?? 0) + 1))
    }
    row = next
  }
  return row.at(-1) ?? 0
}
