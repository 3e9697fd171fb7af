/** Orders the values of a loader by the requested keys. A missing value is an error of its entry. */
export function orderByKeys<Key, Found>(keys: readonly Key[], found: readonly Found[], keyOf: (value: Found) => Key): (Found | Error)[] {
  const byKey = new Map(found.map((value) => [keyOf(value), value]))
  return keys.map((key) => byKey.get(key) ?? new Error(`nothing was found for ${String(key)}`))
}
