import { isUtf8 } from 'node:buffer'
import type { FormatName } from './mediaFormats.ts'

export type DetectedText = { format: FormatName; mimeType?: never } | { format?: never; mimeType: string }

/**
 * Recognises text formats by their start. glTF, OBJ and ASCII STL are accepted; markup gets a type for the refusal.
 * Returns `undefined` when `head` is not text.
 */
export function detectText(head: Buffer): DetectedText | undefined {
  const text = parseText(head)?.trimStart()
  if (text === undefined) return undefined
  if (text === '') return { mimeType: 'text/plain' }
  if (text.startsWith('<')) return { mimeType: markupType(text) }
  if (text.startsWith('{')) return isGltf(text) ? { format: 'gltf' } : { mimeType: 'application/json' }
  if (/^solid\b/i.test(text) && /\b(facet\s+normal|endsolid)\b/i.test(text)) return { format: 'stl' }
  if (isObj(text)) return { format: 'obj' }
  return isReadable(head) ? { mimeType: 'text/plain' } : undefined
}

/**
 * Decodes the head as one character per byte, or as UTF-16 with a byte order mark; `undefined` when control characters show that it is
 * binary.
 */
function parseText(head: Buffer): string | undefined {
  if (head[0] === 0xff && head[1] === 0xfe) return head.toString('utf16le', 2)
  if (head[0] === 0xfe && head[1] === 0xff)
    return Buffer.from(head.subarray(2, head.length & ~1))
      .swap16()
      .toString('utf16le')
  const hasByteOrderMark = head[0] === 0xef && head[1] === 0xbb && head[2] === 0xbf
  const text = head.toString('latin1', hasByteOrderMark ? 3 : 0)
  return /[\x00-\x08\x0e-\x1a\x1c-\x1f]/.test(text) ? undefined : text
}

/** True when unrecognised content is readable text. The end of the head may split a character. */
function isReadable(head: Buffer): boolean {
  const isUtf16 = (head[0] === 0xff && head[1] === 0xfe) || (head[0] === 0xfe && head[1] === 0xff)
  return isUtf16 || [0, 1, 2, 3].some((cut) => isUtf8(head.subarray(0, head.length - cut)))
}

function markupType(text: string): string {
  const element = text.replace(/^(\s|<\?[^>]*>|<!--.*?-->)+/s, '').toLowerCase()
  if (/^(<!doctype\s+)?<?svg\b/.test(element) || /<svg[\s>]/.test(element)) return 'image/svg+xml'
  if (/^<!doctype\s+html\b/.test(element) || /<(html|head|body|script|iframe|title|div|p|a|img|table|style|meta)[\s>]/.test(element)) {
    return 'text/html'
  }
  return /^<\?xml\b/i.test(text) ? 'application/xml' : 'text/html'
}

/** A known glTF member name is enough here; the inspection reads the whole file. */
function isGltf(text: string): boolean {
  return /"(asset|accessors|bufferViews|buffers|meshes|nodes|scenes|extensionsUsed|materials|samplers)"\s*:/.test(text)
}

const objKeywords = new Set(
  (
    'v vt vn vp f fo l p o g s mg usemtl mtllib usemap maplib lod d_interp c_interp bevel shadow_obj trace_obj ' +
    'cstype deg bmat step curv curv2 surf parm trim hole scrv sp end con call csh stech ctech'
  ).split(' '),
)

/** True when the first lines are OBJ statements, at least one of them a vertex, object, group or material. */
function isObj(text: string): boolean {
  let hasKeyStatement = false
  const lines = text.replaceAll(/\\\r?\n/g, ' ').split(/\r\n|\n|\r/)
  // The head may cut the last line.
  for (const line of lines.slice(0, Math.max(1, lines.length - 1))) {
    const [keyword = ''] = line.trim().split(/\s/, 1)
    if (keyword === '' || keyword.startsWith('#')) continue
    if (!objKeywords.has(keyword)) return false
    hasKeyStatement ||= ['v', 'o', 'g', 'mtllib', 'usemtl'].includes(keyword)
  }
  return hasKeyStatement
}
