import type { ByteReader } from './openByteReader.ts'
import { Unprocessable } from './unprocessable.ts'

const pieceBytes = 1_048_576
const lineBytesMax = 1_048_576

/**
 * Reads the non-empty lines of a text file in pieces, one byte per character. A line that ends with `joins` continues in the next one.
 * Control characters and overlong lines are {@link Unprocessable} as `corrupt`.
 */
export function* readLines(bytes: ByteReader, options: { joins?: string } = {}): Generator<string> {
  let rest = ''
  for (let offset = 0; offset < bytes.sizeBytes; offset += pieceBytes) {
    const piece = bytes.readUpTo(offset, pieceBytes).toString('latin1')
    if (/[\x00-\x08\x0e-\x1f]/.test(piece)) throw new Unprocessable('corrupt', 'binary content')
    // Empty lines have no meaning in these formats. Hostile files contain millions of them.
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
    if (rest.length > lineBytesMax) throw new Unprocessable('corrupt', 'a line is too long')
  }
  yield rest
}
