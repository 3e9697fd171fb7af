/** The members of a change that are given, for an update of those alone; `undefined` stands for "as it is". */
export function omitUndefined<Values extends object>(values: Values): { [Name in keyof Values]?: Exclude<Values[Name], undefined> } {
  const present = Object.entries(values).filter(([, value]) => value !== undefined)
  return Object.fromEntries(present) as { [Name in keyof Values]?: Exclude<Values[Name], undefined> }
}
