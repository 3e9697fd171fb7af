import { typeidUnboxed } from 'typeid-js'

export type IdPrefix = 'gen' | 'file' | 'key' | 'team' | 'user' | 'hook' | 'evt' | 'req' | 'proc' | 'ses' | 'quote' | 'tok' | 'inv'

/** A new identifier such as `gen_01k…`: unique, and sortable by its creation time. Contract: docs/contract.md#identifiers. */
export function newId(prefix: IdPrefix): string {
  return typeidUnboxed(prefix)
}

/** Whether `text` has the form of an identifier with that prefix: the prefix, `_` and 26 characters of Crockford base32. */
export function isId(prefix: IdPrefix, text: string): boolean {
  return (
    text.length === prefix.length + 27 &&
    text.startsWith(`${prefix}_`) &&
    /^[0-7][0-9a-hjkmnp-tv-z]{25}$/.test(text.slice(prefix.length + 1))
  )
}

const digits = '0123456789abcdefghjkmnpqrstvwxyz'

/** The creation time of an identifier, in milliseconds: its first 48 bits, in ten characters. */
export function momentOfId(id: string): Date {
  const written = id.slice(id.indexOf('_') + 1).slice(0, 10)
  return new Date([...written].reduce((moment, digit) => moment * digits.length + digits.indexOf(digit), 0))
}

/** The smallest identifier with the creation time `moment`: it separates earlier identifiers from later ones. */
export function firstIdAt(prefix: IdPrefix, moment: Date): string {
  const places = Array.from(
    { length: 10 },
    (_, place) => digits[Math.floor(moment.getTime() / digits.length ** (9 - place)) % digits.length],
  )
  return `${prefix}_${places.join('')}${'0'.repeat(16)}`
}
