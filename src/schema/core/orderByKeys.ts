/** Puts what a loader found into the order in which it was asked for; what is missing is an error of its own entry. */
export function orderByKeys<Key, Found>(keys: readonly Key[], found: readonly Found[], keyOf: (value: Found) => Key): (Found | Error)[] {
  const byKey = new Map(found.map((value) => [keyOf(value), value]))
  return keys.map((key) => byKey.get(key) ?? new Error(`nothing is known under ${String(key)}`))
}
