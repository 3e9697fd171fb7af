import { isUtf8 } from 'node:buffer'
import { Unprocessable } from './unprocessable.ts'

/** A value of `JSON.parse`. */
export type JsonValue = null | boolean | number | string | JsonValue[] | { [name: string]: JsonValue }
export type JsonObject = { [name: string]: JsonValue }

const depthMax = 64
const valuesMax = 1_000_000

/**
 * Parses a JSON object. Depth and number of values are checked on the raw bytes first, so that nothing too large is built.
 * Invalid JSON is {@link Unprocessable} as `corrupt`, an oversized one as `too_complex`.
 */
export function readBoundedJson(text: Buffer): JsonObject {
  checkShape(text)
  if (!isUtf8(text)) throw new Unprocessable('corrupt', 'not UTF-8')
  const value = parse(text)
  if (!isObject(value)) throw new Unprocessable('corrupt', 'not an object')
  return value
}

export function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function parse(text: Buffer): JsonValue {
  try {
    return JSON.parse(text.toString('utf8')) as JsonValue
  } catch {
    throw new Unprocessable('corrupt', 'invalid JSON')
  }
}

const quote = 0x22
const backslash = 0x5c
const opening = new Set([0x5b, 0x7b])
const closing = new Set([0x5d, 0x7d])
const separating = new Set([0x2c, 0x3a])

function checkShape(text: Buffer): void {
  let depth = 0
  let values = 0
  for (let at = 0; at < text.length; at += 1) {
    const byte = text[at] ?? 0
    if (byte === quote) {
      at = endOfString(text, at)
      continue
    }
    if (opening.has(byte)) depth += 1
    else if (closing.has(byte)) depth -= 1
    else if (!separating.has(byte)) continue
    values += 1
    if (depth > depthMax || values > valuesMax) throw new Unprocessable('too_complex', 'too deep or too many values')
  }
}

/** Index of the quote that ends the string starting at `start`. */
function endOfString(text: Buffer, start: number): number {
  let end = start
  for (;;) {
    end = text.indexOf(quote, end + 1)
    if (end === -1) throw new Unprocessable('corrupt', 'an unterminated string')
    let escapes = 0
    while (text[end - 1 - escapes] === backslash) escapes += 1
    if (escapes % 2 === 0) return end
  }
}
