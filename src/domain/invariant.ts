/** States what must hold if our own code is right; a false one is a bug and ends as `internal_error`. */
export function invariant(condition: unknown, message: string): asserts condition {
  if (!condition) throw new Error(`invariant: ${message}`)
}
