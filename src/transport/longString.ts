import { invalidRequest } from '../contract/refusals/refusals.ts'

const quote = 0x22
const escape = 0x5c

/** Returns the offset of the first character of the string at `path` in a JSON text; undefined when it is not within these bytes. */
export function stringStart(json: Buffer, path: readonly string[]): number | undefined {
  let depth = 0
  /** How many names of the path match the current position. */
  let within = 0
  for (let index = 0; index < json.length; index += 1) {
    const byte = json[index]
    if (byte === 0x7b || byte === 0x5b) depth += 1
    else if (byte === 0x7d || byte === 0x5d) {
      depth -= 1
      within = Math.min(within, Math.max(depth - 1, 0))
    } else if (byte === quote) {
      const end = stringEnd(json, index + 1)
      const name = depth === within + 1 ? path[within] : undefined
      const isLast = within === path.length - 1
      const length = name !== undefined && isText(json, index + 1, end, name) ? valueStart(json, end, isLast ? '"' : '{') : undefined
      if (length !== undefined && isLast) return end + length
      if (length !== undefined) {
        depth += 1
        within += 1
      }
      index = end + (length ?? 1) - 1
    }
  }
  return undefined
}

function isText(json: Buffer, start: number, end: number, text: string): boolean {
  return end - start === text.length && json.toString('latin1', start, end) === text
}

/** The distance from `end` (the closing quote of a name) to the content of its value, if the value starts with `opening`. */
function valueStart(json: Buffer, end: number, opening: '"' | '{'): number | undefined {
  const [colon] = /^"[ \t\r\n]*:[ \t\r\n]*["{]/.exec(json.toString('latin1', end, end + spacedCharactersMax)) ?? []
  return colon?.endsWith(opening) ? colon.length : undefined
}

/** Byte by byte: `indexOf` for the next escape would scan all following bytes for each of many short strings. */
function stringEnd(json: Buffer, start: number): number {
  let index = start
  while (index < json.length && json[index] !== quote) index += json[index] === escape ? 2 : 1
  return Math.min(index, json.length)
}

/** Limit of white space around a colon. */
const spacedCharactersMax = 256

/** A piece of a string. `rest` contains unread bytes, or the bytes after the string once it is closed. */
export type StringPiece = { text: string; isClosed: boolean; rest: Buffer }

/**
 * Reads the part of `bytes` that belongs to a JSON string, with escapes resolved and one character per other byte. `bytes` must start
 * inside the string. Refusals: invalid_request for an invalid escape.
 */
export function readStringPiece(bytes: Buffer): StringPiece {
  const { length, isClosed, hasEscapes } = stringLength(bytes)
  const raw = bytes.toString('latin1', 0, length)
  return { text: hasEscapes ? unescaped(raw) : raw, isClosed, rest: bytes.subarray(isClosed ? length + 1 : length) }
}

/** Counts the bytes of the string. Excludes an incomplete escape at the end. */
function stringLength(bytes: Buffer): { length: number; isClosed: boolean; hasEscapes: boolean } {
  let end = bytes.indexOf(quote)
  let next = bytes.indexOf(escape)
  const hasEscapes = next !== -1 && (end === -1 || next < end)
  while (next !== -1 && (end === -1 || next < end)) {
    const behind = next + (bytes[next + 1] === 0x75 ? 6 : 2)
    if (behind > bytes.length) return { length: next, isClosed: false, hasEscapes }
    if (end !== -1 && end < behind) end = bytes.indexOf(quote, behind)
    next = bytes.indexOf(escape, behind)
  }
  return end === -1 ? { length: bytes.length, isClosed: false, hasEscapes } : { length: end, isClosed: true, hasEscapes }
}

function unescaped(raw: string): string {
  try {
    return String(JSON.parse(`"${raw}"`))
  } catch {
    throw invalidRequest({ in: 'body', path: [], code: 'bad_format', message: 'The body is not valid JSON.' })
  }
}
