import type { ByteRange } from './storage.ts'

const keyForm = /^[a-z0-9_-][a-z0-9._-]{0,127}(\/[a-z0-9_-][a-z0-9._-]{0,127}){0,7}$/

/**
 * Throws a RangeError unless `key` is valid: one to eight segments of 1 to 128 characters `a-z 0-9 - _ .`, none starting with a dot. So
 * no key can leave the folder or prefix, collide with temporary files, or depend on letter case.
 */
export function assertObjectKey(key: string): void {
  if (!keyForm.test(key)) throw new RangeError(`not a storage key: ${JSON.stringify(key.slice(0, 200))}`)
}

/** Throws a RangeError unless the range is two whole numbers in order that starts inside the object of `sizeBytes`, if given. */
export function assertByteRange(range: ByteRange, sizeBytes = Number.POSITIVE_INFINITY): void {
  const { start, end } = range
  if (!Number.isSafeInteger(start) || !Number.isSafeInteger(end) || start < 0 || end < start || start >= sizeBytes) {
    throw new RangeError(`no bytes ${start} to ${end}${Number.isFinite(sizeBytes) ? ` in an object of ${sizeBytes}` : ''}`)
  }
}
