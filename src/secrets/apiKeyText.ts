import { createHash, randomFillSync } from 'node:crypto'
import { crc32 } from 'node:zlib'

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const prefixCharacters = 12
const randomCharacters = 43
const checksumCharacters = 6
const keyForm = /^atl_[0-9A-Za-z]{49}$/

/**
 * Makes a new API key: `value` is shown once and never kept, `prefix` is its visible leading part, `hash` (SHA-256, 32 bytes)
 * is what the database holds.
 * Contract: docs/contract.md#api-keys.
 */
export function makeApiKey(): { value: string; prefix: string; hash: Buffer } {
  const body = `atl_${randomBase62(randomCharacters)}`
  const value = body + checksumOf(body)
  return { value, prefix: value.slice(0, prefixCharacters), hash: hashOf(value) }
}

/**
 * The hash under which a presented key is looked up; `undefined` when it has not the form of a key or its checksum is wrong,
 * so that guesses and typing errors cost no query.
 */
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
  // 256 is no multiple of 62: bytes from 248 on are thrown away, else the first eight characters would come up more often.
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
