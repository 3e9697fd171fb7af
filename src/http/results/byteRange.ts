import type { ByteRange } from '../../storage/storage.ts'

/**
 * Parses a `Range` header for content of `sizeBytes`. Returns one range, limited to the content; `whole` when the header is missing,
 * malformed, in another unit, or has several ranges; or `unsatisfiable`.
 */
export function byteRangeOf(header: string | undefined, sizeBytes: number): ByteRange | 'whole' | 'unsatisfiable' {
  const [, first, last] = /^bytes=[ \t]*([0-9]*)-([0-9]*)[ \t]*$/i.exec(header ?? '') ?? []
  if (first === undefined || last === undefined || (first === '' && last === '')) return 'whole'

  if (first === '') {
    const length = Math.min(Number(last), sizeBytes)
    return length > 0 ? { start: sizeBytes - length, end: sizeBytes - 1 } : 'unsatisfiable'
  }
  const start = Number(first)
  const end = last === '' ? sizeBytes - 1 : Math.min(Number(last), sizeBytes - 1)
  if (last !== '' && Number(last) < start) return 'whole'
  return start < sizeBytes ? { start, end } : 'unsatisfiable'
}
