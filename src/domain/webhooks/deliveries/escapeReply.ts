const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
const sequenceBytesMax = 4

const shortEscapes: Record<string, string> = { '\n': '\\n', '\r': '\\r', '\t': '\\t', '\\': '\\\\' }

/**
 * The first bytes of a receiver's reply as text that does nothing where it is shown: what cannot be seen, or could reorder the text
 * around it, stands as an escape, and so do bytes that are no UTF-8. `null` when nothing came.
 */
export function escapeReply(start: Buffer | null): string | null {
  if (start === null || start.length === 0) return null
  let shown = ''
  for (let offset = 0; offset < start.length; ) {
    const character = characterAt(start, offset)
    shown += character === undefined ? escapeByte(start.readUInt8(offset)) : escapeCharacter(character)
    offset += character === undefined ? 1 : Buffer.byteLength(character)
  }
  return shown
}

/** Why an attempt counts as failed: our reason in words, then the first bytes of the reply. */
export function refusalText(refusal: string | null, start: Buffer | null): string | null {
  const reply = escapeReply(start)
  return refusal === null || reply === null ? refusal : `${refusal}: ${reply}`
}

function characterAt(bytes: Buffer, offset: number): string | undefined {
  for (let length = 1; length <= sequenceBytesMax && offset + length <= bytes.length; length += 1) {
    try {
      return decoder.decode(bytes.subarray(offset, offset + length))
    } catch {
      // Perhaps the next byte belongs to it.
    }
  }
  return undefined
}

function escapeCharacter(character: string): string {
  const short = shortEscapes[character]
  if (short !== undefined) return short
  const isInvisible = /[\p{C}\p{Zl}\p{Zp}]/u.test(character)
  return isInvisible ? `\\u{${character.codePointAt(0)?.toString(16)}}` : character
}

function escapeByte(byte: number): string {
  return `\\x${byte.toString(16).padStart(2, '0')}`
}
