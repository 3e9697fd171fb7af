import type { Json } from '../contract/json.ts'

/**
 * JSON as the database takes it, of what strangers have said: it has no place for the character zero, nor for halves of characters, and
 * refuses all of a value for the sake of one.
 */
export function toJsonbText(value: Json): string {
  return JSON.stringify(value, (_name, each) => (typeof each === 'string' ? each.toWellFormed().replaceAll('\0', '\uFFFD') : each))
}
