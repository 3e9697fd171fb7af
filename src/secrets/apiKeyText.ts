import { createHash, randomFillSync } from 'node:crypto'
import { crc32 } from 'node:zlib'

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const prefixCharacters = 12
const randomCharacters = 43
const checksumCharacters = 6
const keyForm = /^atl_[0-9A-Za-z]{49}$/

/**
 * Creates an API key. `value` is shown once and never stored, `prefix` is its visible start, and `hash` (SHA-256, 32 bytes) is stored in
 * the database.
 * Contract: docs/contract.md#api-keys.
 */
export function makeApiKey(): { value: string; prefix: string; hash: Buffer } {
  const body = `atl_${randomBase62(randomCharacters)}`
  const value = body + checksumOf(body)
  return { value, prefix: value.slice(0, prefixCharacters), hash: hashOf(value) }
}

/** Returns the hash for the look-up of a key; undefined for a malformed key or a wrong checksum, so that such keys cost no query. */
export function readApiKey(text: string): Buffer | undefined {
  if (!keyForm.test(text)) return undefined
  const body = text.slice(0, -checksumCharacters)
  return checksumOf(body) === text.slice(-checksumCharacters) ? hashOf(text) : undefined
}

function hashOf(value: string): Buffer {
  return createHash('sha256').update(value, 'ascii').digest()
}

function checksumOf(body: string): string {
  let rest = crc32(body)
  let digits = ''
  while (digits.length < checksumCharacters) {
    digits = alphabet.charAt(rest % alphabet.length) + digits
    rest = Math.floor(rest / alphabet.length)
  }
  return digits
}

function randomBase62(length: number): string {
  // 256 is not a multiple of 62. Bytes from 248 on are discarded; otherwise the first eight characters would be more likely.
  const fairBytes = 256 - (256 % alphabet.length)
  const bytes = Buffer.alloc(2 * length)
  let text = ''
  while (text.length < length) {
    for (const byte of randomFillSync(bytes)) {
      if (byte < fairBytes && text.length < length) text += alphabet.charAt(byte % alphabet.length)
    }
  }
  return text
}
