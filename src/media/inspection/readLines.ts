import type { ByteReader } from './openByteReader.ts'
import { Unprocessable } from './unprocessable.ts'

const pieceBytes = 1_048_576
const lineBytesMax = 1_048_576

/**
 * The lines of a text file that are not empty, one byte a character, read piece by piece; a line that ends with `joins` continues
 * in the next one. Control characters and endless lines are {@link Unprocessable} as `corrupt`.
 */
export function* readLines(bytes: ByteReader, options: { joins?: string } = {}): Generator<string> {
  let rest = ''
  for (let offset = 0; offset < bytes.sizeBytes; offset += pieceBytes) {
    const piece = bytes.readUpTo(offset, pieceBytes).toString('latin1')
    if (/[\x00-\x08\x0e-\x1f]/.test(piece)) throw new Unprocessable('corrupt', 'bytes that are no text')
    // Empty lines mean nothing in the formats that are read here, and come by the million in hostile files.
    const lines = (rest + piece).split(/[\r\n]+/)
    const last = lines.pop() ?? ''
    let joined = ''
    for (const line of lines) {
      if (options.joins !== undefined && line.endsWith(options.joins)) {
        joined += `${line.slice(0, -1)} `
        continue
      }
      yield joined + line
      joined = ''
    }
    rest = joined + last
    if (rest.length > lineBytesMax) throw new Unprocessable('corrupt', 'a line without an end')
  }
  yield rest
}
