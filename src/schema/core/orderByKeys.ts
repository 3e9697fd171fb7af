/** Returns the values that a loader read, in the order of the requested keys. A key without a value gets an Error in its place. */
export function orderByKeys<Key, Value>(keys: readonly Key[], values: readonly Value[], keyOf: (value: Value) => Key): (Value | Error)[] {
  const byKey = new Map(values.map((value) => [keyOf(value), value]))
  return keys.map((key) => byKey.get(key) ?? new Error(`nothing was found for ${String(key)}`))
}
