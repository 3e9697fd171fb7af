/** About how many characters a value takes as JSON text, escapes apart. Cheap: long strings are not looked through. */
export function jsonLength(value: unknown): number {
  if (typeof value === 'string') return value.length + 2
  if (value instanceof Date) return 26
  if (typeof value !== 'object' || value === null) return 6
  let length = 2
  if (Array.isArray(value)) for (const item of value) length += jsonLength(item) + 1
  else for (const [name, member] of Object.entries(value)) length += name.length + 4 + jsonLength(member)
  return length
}
