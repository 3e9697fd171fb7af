import type { Json } from '../contract/json.ts'

/** Serialises untrusted JSON for a jsonb column, which rejects NUL characters and lone surrogates. Both become U+FFFD. */
export function toJsonbText(value: Json): string {
  return JSON.stringify(value, (_name, each) => (typeof each === 'string' ? each.toWellFormed().replaceAll('\0', '\uFFFD') : each))
}
