/** Asserts a condition that only a bug can break. A failure ends as `internal_error`. */
export function invariant(condition: unknown, message: string): asserts condition {
  if (!condition) throw new Error(`invariant: ${message}`)
}
