const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
const sequenceBytesMax = 4

const shortEscapes: Record<string, string> = { '\n': '\\n', '\r': '\\r', '\t': '\\t', '\\': '\\\\' }

/**
 * Returns the first bytes of a receiver's reply as safe text for display. Invisible characters, characters that reorder text and bytes
 * that are not UTF-8 are escaped. `null` when the reply was empty.
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

/** Returns why an attempt failed: our reason, then the first bytes of the reply. */
export function refusalText(refusal: string | null, start: Buffer | null): string | null {
  const reply = escapeReply(start)
  return refusal === null || reply === null ? refusal : `${refusal}: ${reply}`
}

function characterAt(bytes: Buffer, offset: number): string | undefined {
  for (let length = 1; length <= sequenceBytesMax && offset + length <= bytes.length; length += 1) {
    try {
      return decoder.decode(bytes.subarray(offset, offset + length))
    } catch {
      // An incomplete sequence: decode again with the next byte.
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
