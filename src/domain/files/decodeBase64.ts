import { invalidRequest, type Refusal } from '../../contract/refusals/refusals.ts'

/** A `data:` prefix must be no longer than this. */
const prefixCharactersMax = 1024

/**
 * Decodes padded base64 that arrives as text in pieces of any length. A `data:` prefix is removed, and its type is passed to `onPrefix`
 * before the first bytes. A returned chunk is valid until the next one is requested.
 * Refusals: invalid_request at `base64`. Contract: docs/contract.md#upload-a-file.
 */
export async function* decodeBase64(
  texts: AsyncIterable<string> | Iterable<string>,
  onPrefix: (mimeType: string) => void,
): AsyncGenerator<Buffer, void, undefined> {
  let isPrefixRead = false
  let isPadded = false
  let carried = ''
  let target: Buffer = Buffer.alloc(0)

  function decode(text: string): Buffer {
    if (isPadded) throw notBase64()
    isPadded = text.endsWith('=')
    const lengthMax = (text.length / 4) * 3
    if (target.length < lengthMax) target = Buffer.allocUnsafeSlow(lengthMax)
    return decodeInto(target, text)
  }

  for await (const piece of texts) {
    let text = piece
    if (!isPrefixRead) {
      const content = stripDataPrefix(carried + piece, onPrefix)
      carried = content === undefined ? carried + piece : ''
      if (content === undefined) continue
      isPrefixRead = true
      text = content
    }
    const { joined, whole, left } = splitIntoQuads(carried, text)
    carried = left
    if (joined !== '') yield decode(joined)
    if (whole !== '') yield decode(whole)
  }
  if (carried !== '') throw notBase64()
}

/**
 * Splits a text into groups of four characters. `joined`: the group that starts with `carried`. `whole`: the complete groups, not copied,
 * because they are long. `left`: the rest.
 */
function splitIntoQuads(carried: string, text: string): { joined: string; whole: string; left: string } {
  const missing = (4 - carried.length) % 4
  if (text.length < missing) return { joined: '', whole: '', left: carried + text }
  const end = text.length - ((text.length - missing) % 4)
  return { joined: carried + text.slice(0, missing), whole: text.slice(missing, end), left: text.slice(end) }
}

/** Splits the text into slices, so that {@link decodeBase64} does not decode it all at once. */
export function* slicesOf(text: string): Generator<string, void, undefined> {
  for (let start = 0; start < text.length; start += sliceCharacters) yield text.slice(start, start + sliceCharacters)
}

const sliceCharacters = 256 * 1024

/** Returns the text after a `data:` prefix, or all of it without one; `undefined` while more text is needed to decide. */
function stripDataPrefix(text: string, onPrefix: (mimeType: string) => void): string | undefined {
  const scheme = 'data:'
  if (text.slice(0, scheme.length).toLowerCase() !== scheme.slice(0, text.length)) return text
  const comma = text.indexOf(',')
  if (comma > prefixCharactersMax || (comma === -1 && text.length > prefixCharactersMax)) throw notBase64()
  if (comma === -1) return undefined
  const [mimeType = '', ...parameters] = text.slice(scheme.length, comma).split(';')
  if (parameters.pop()?.trim().toLowerCase() !== 'base64') throw notBase64()
  if (mimeType.trim() !== '') onPrefix(mimeType.trim())
  return text.slice(comma + 1)
}

/**
 * Decodes whole groups of four characters. The decoder skips invalid characters, so the length of its result reveals them. It accepts
 * base64url and wide characters, so these are checked first.
 */
function decodeInto(target: Buffer, text: string): Buffer {
  const padding = text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0
  const isPlain = Buffer.byteLength(text) === text.length && !text.includes('-') && !text.includes('_')
  const written = isPlain ? target.write(text, 'base64') : -1
  if (written !== (text.length / 4) * 3 - padding) throw notBase64()
  return target.subarray(0, written)
}

function notBase64(): Refusal {
  const message = 'Takes base64 with padding, and only a data: prefix before it.'
  return invalidRequest({ in: 'body', path: ['base64'], code: 'bad_format', message })
}
