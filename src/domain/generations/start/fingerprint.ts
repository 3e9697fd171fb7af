import { createHash } from 'node:crypto'

/** SHA-256 of a parsed body, independent of the order of keys. Contract: docs/contract.md#idempotency. */
export function fingerprintOf(body: unknown): Buffer {
  return createHash('sha256').update(JSON.stringify(body, sortKeys)).digest()
}

function sortKeys(_name: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  const sorted = Object.entries(value).sort(([left], [right]) => (left < right ? -1 : 1))
  // Pairs instead of an object, so that a member named __proto__ counts like any other.
  return { object: sorted }
}
