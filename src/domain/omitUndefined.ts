/** Returns the members that are not undefined, for a partial update. */
export function omitUndefined<Values extends object>(values: Values): { [Name in keyof Values]?: Exclude<Values[Name], undefined> } {
  const present = Object.entries(values).filter(([, value]) => value !== undefined)
  return Object.fromEntries(present) as { [Name in keyof Values]?: Exclude<Values[Name], undefined> }
}
