import { createHash, randomFillSync } from 'node:crypto'
import { crc32 } from 'node:zlib'

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const prefixCharacters = 12
const randomCharacters = 43
const checksumCharacters = 6
const valueForm = /^[0-9A-Za-z]{49}$/

/** The beginnings of the values: API keys, named tokens of internal tools, and the secrets in links of invitations. */
const beginnings = { key: 'atl_', serviceToken: 'ats_', invitation: 'ati_' } as const

/** `value` is shown once and never stored, `prefix` is its visible start, and `hash` (SHA-256, 32 bytes) is stored in the database. */
type MadeSecret = { value: string; prefix: string; hash: Buffer }

/** Creates an API key. Contract: docs/contract.md#api-keys. */
export function makeApiKey(): MadeSecret {
  return makeSecret(beginnings.key)
}

/** Returns the hash for the look-up of a key; undefined for a malformed key or a wrong checksum, so that such keys cost no query. */
export function readApiKey(text: string): Buffer | undefined {
  return readSecret(text, beginnings.key)
}

/** Creates the value of a service token, in the form of an API key. Contract: docs/contract.md#service-tokens. */
export function makeServiceToken(): MadeSecret {
  return makeSecret(beginnings.serviceToken)
}

/** As {@link readApiKey}, for a service token. */
export function readServiceToken(text: string): Buffer | undefined {
  return readSecret(text, beginnings.serviceToken)
}

/** Creates the secret of an invitation, in the form of an API key. Contract: docs/contract.md#invitations. */
export function makeInvitationSecret(): MadeSecret {
  return makeSecret(beginnings.invitation)
}

/** As {@link readApiKey}, for the secret of an invitation. */
export function readInvitationSecret(text: string): Buffer | undefined {
  return readSecret(text, beginnings.invitation)
}

function makeSecret(beginning: string): MadeSecret {
  const body = beginning + randomBase62(randomCharacters)
  const value = body + checksumOf(body)
  return { value, prefix: value.slice(0, prefixCharacters), hash: hashOf(value) }
}

function readSecret(text: string, beginning: string): Buffer | undefined {
  if (!text.startsWith(beginning) || !valueForm.test(text.slice(beginning.length))) return undefined
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
