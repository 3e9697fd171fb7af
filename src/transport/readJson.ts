import type { FastifyRequest } from 'fastify'
import { limits } from '../contract/limits.ts'
import { requirePlainText } from '../contract/refusals/plainText.ts'
import { invalidRequest, Refusal } from '../contract/refusals/refusals.ts'
import { bodyScheduler } from './bodyScheduler.ts'

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** Parses the Content-Type header: type and charset in lower case. */
export function contentTypeOf(request: FastifyRequest): { type: string; charset: string | undefined } {
  const [type = '', ...parameters] = (request.headers['content-type'] ?? '').split(';')
  const charset = parameters.map((each) => each.trim().match(/^charset\s*=\s*"?([^"]*)"?$/i)?.[1]).find((found) => found !== undefined)
  return { type: type.trim().toLowerCase(), charset: charset?.toLowerCase() }
}

/** Refuses encoded bodies. Refusals: unsupported_content_type. */
export function requireIdentityEncoding(request: FastifyRequest, allowed: string[]): void {
  const encoding = encodingOf(request)
  if (encoding === undefined) return
  throw new Refusal('unsupported_content_type', { received: encoding, allowed }, { message: 'The body must not be encoded.' })
}

/** The content or transfer encoding of the body; `chunked` does not count. */
function encodingOf({ headers }: FastifyRequest): string | undefined {
  const content = headers['content-encoding']
  if (content !== undefined && content.toLowerCase() !== 'identity') return `content-encoding ${content}`
  const transfer = headers['transfer-encoding']
  return transfer !== undefined && transfer.toLowerCase() !== 'chunked' ? `transfer-encoding ${transfer}` : undefined
}

/** True when the headers announce a body. */
function announcesBody(request: FastifyRequest): boolean {
  const length = request.headers['content-length']
  return request.headers['transfer-encoding'] !== undefined || (length !== undefined && length !== '0')
}

/**
 * Checks before reading the body that its type is JSON in UTF-8. With `optional`, a request without a body passes.
 * Refusals: unsupported_content_type. Contract: docs/contract.md#json-bodies.
 */
export function requireJsonType(request: FastifyRequest, optional: boolean): void {
  const allowed = ['application/json']
  requireIdentityEncoding(request, allowed)
  const { type, charset } = contentTypeOf(request)
  if (optional && type === '' && !announcesBody(request)) return
  const received = request.headers['content-type'] ?? null
  if (type !== 'application/json') throw new Refusal('unsupported_content_type', { received, allowed })
  if (charset !== undefined && charset !== 'utf-8' && charset !== 'utf8')
    throw new Refusal('unsupported_content_type', { received, allowed })
}

/**
 * Parses a JSON body strictly: valid UTF-8, an object, no NUL, no lone surrogates, limited depth.
 * Refusals: invalid_request. Contract: docs/contract.md#json-bodies.
 */
export function parseJsonBody(bytes: Buffer): Record<string, unknown> {
  const value = parseJson(bytes)
  if (isJsonObject(value)) return value
  const one = Array.isArray(value) ? 'One request at a time: the' : 'The'
  throw invalidRequest({ in: 'body', path: [], code: 'wrong_type', message: `${one} body must be a JSON object.` })
}

/** Like {@link parseJsonBody}, for any JSON value. */
export function parseJson(bytes: Buffer): unknown {
  const text = decode(bytes)
  const value = parse(text)
  // Valid UTF-8 has no lone surrogate and JSON has no raw NUL: both need an escape.
  if (text.includes('\\u')) requirePlainText(value)
  return value
}

/** Parsing and validating a shorter body takes about a millisecond. */
const longBytes = 16 * 1024

/**
 * Waits until a body may be parsed. Long bodies are scheduled, so that many of them do not block the event loop. Validate the body
 * directly after parsing, so that it belongs to the same slice.
 */
export async function waitForParseSlice({ length }: Buffer): Promise<void> {
  if (length > longBytes) await bodyScheduler.waitForSlice()
}

export function isJsonObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function decode(bytes: Buffer): string {
  try {
    return utf8.decode(bytes)
  } catch {
    throw invalidRequest({ in: 'body', path: [], code: 'bad_format', message: 'The body is not valid UTF-8.' })
  }
}

function parse(text: string): unknown {
  if (nestsTooDeep(text)) {
    throw invalidRequest({ in: 'body', path: [], code: 'too_big', message: `JSON may be nested ${limits.jsonDepth} deep at most.` })
  }
  try {
    return JSON.parse(text)
  } catch {
    throw invalidRequest({ in: 'body', path: [], code: 'bad_format', message: 'The body is not valid JSON.' })
  }
}

/** Counts brackets outside strings, so that the parser never recurses over hostile nesting. */
function nestsTooDeep(text: string): boolean {
  let depth = 0
  let inString = false
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index)
    if (code === 0x22) inString = !inString
    else if (code === 0x5c && inString) index++
    else if (inString) continue
    else if (code === 0x7b || code === 0x5b) {
      if (++depth > limits.jsonDepth) return true
    } else if (code === 0x7d || code === 0x5d) depth--
  }
  return false
}
