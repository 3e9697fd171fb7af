import type { ByteRange } from '../../storage/storage.ts'

/**
 * What a `Range` header asks of content of `sizeBytes`: one range, cut to the content; the whole, when there is no header, it is
 * malformed, of another unit, or names several ranges; or nothing that exists.
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
