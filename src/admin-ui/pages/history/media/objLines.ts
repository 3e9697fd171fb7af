const [newline, carriageReturn, backslash, asciiMax] = [0x0a, 0x0d, 0x5c, 0x7e]
const spaces = new Set([0x09, newline, 0x0b, 0x0c, carriageReturn, 0x20])

/**
 * The first letter and the number of words of each line of an OBJ. A backslash before the end of a line continues it. Never returns fewer
 * words than the loader finds: each byte of a character outside of ASCII counts as one, because it may be a space or a letter.
 */
export function* objLines(text: Uint8Array): Generator<{ start: string; words: number }> {
  let line = { start: '', words: 0 }
  let [last, lastButOne] = [newline, newline]
  for (const byte of text) {
    if (byte === newline && !isContinued(last, lastButOne)) {
      if (line.words > 0) yield line
      line = { start: '', words: 0 }
    } else if (isWordByte(byte)) {
      if (!isWordByte(last) || byte > asciiMax) line.words += 1
      if (line.start === '' && byte <= asciiMax) line.start = String.fromCharCode(byte)
    }
    lastButOne = last
    last = byte
  }
  if (line.words > 0) yield line
}

function isContinued(last: number, lastButOne: number): boolean {
  return last === backslash || (last === carriageReturn && lastButOne === backslash)
}

function isWordByte(byte: number): boolean {
  return byte !== backslash && !spaces.has(byte)
}
