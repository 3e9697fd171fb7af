import { createCipheriv, createDecipheriv, createHash, createSecretKey, hkdfSync, type KeyObject, randomBytes } from 'node:crypto'

const version = 1
const keyBytes = 32
const ivBytes = 12
const tagBytes = 16
const headBytes = 2 + ivBytes
const cipherName = 'aes-256-gcm'

/**
 * Seals and opens small secrets with AES-256-GCM.
 *
 * `purpose` is `use` or `use:subject`, for example `result_link` or `webhook_subscriptions.signing_secret:hook_…`. The whole of it
 * is authenticated, so that a sealed value cannot be moved to another row or use; each use has a key of its own, so write it as a
 * literal in the code. Sealed: version, key number, 12-byte iv, ciphertext, 16-byte tag. Random ivs allow 2^32 seals per use and key.
 */
export type KeyRing = {
  seal(plain: Buffer, purpose: string): Buffer
  /** `undefined` when the value was altered, cut, made for another purpose or by a key that is not in the ring. */
  open(sealed: Buffer, purpose: string): Buffer | undefined
  /** True when the key that writes now sealed it; what an earlier one sealed has to be sealed anew before that one can go. */
  isCurrent(sealed: Buffer, purpose: string): boolean
  /** 32 bytes for one use, from the key that writes now: the same in every process that has that key. */
  derive(use: string): Buffer
}

/** A ring over raw keys of 32 bytes each: the first one writes, all of them read. Throws when a key is missing or of another size. */
export function makeKeyRing(keys: Buffer[]): KeyRing {
  const members = keys.map(ringMember)
  const [writer] = members
  const [writingKey] = keys
  if (writer === undefined || writingKey === undefined) throw new RangeError('a key ring needs at least one key')

  return {
    seal(plain, purpose) {
      const head = Buffer.concat([Buffer.of(version, writer.number), randomBytes(ivBytes)])
      const cipher = createCipheriv(cipherName, writer.keyFor(purpose), head.subarray(2), { authTagLength: tagBytes })
      cipher.setAAD(additionalData(head, purpose))
      return Buffer.concat([head, cipher.update(plain), cipher.final(), cipher.getAuthTag()])
    },

    open(sealed, purpose) {
      if (sealed.length < headBytes + tagBytes || sealed[0] !== version) return undefined
      for (const member of members) {
        // Two keys may share a number, by a chance of 1 in 256: then each is tried.
        const plain = member.number === sealed[1] ? decipher(sealed, member.keyFor(purpose), purpose) : undefined
        if (plain !== undefined) return plain
      }
      return undefined
    },

    isCurrent(sealed, purpose) {
      return (
        sealed.length >= headBytes + tagBytes && sealed[0] === version && decipher(sealed, writer.keyFor(purpose), purpose) !== undefined
      )
    },

    derive: (use) => Buffer.from(hkdfSync('sha256', writingKey, '', `atelier derive ${use}`, keyBytes)),
  }
}

/** Seals `plain` as text that is safe in an address: base64url without padding. */
export function sealToken(ring: KeyRing, plain: Buffer, purpose: string): string {
  return ring.seal(plain, purpose).toString('base64url')
}

/** Opens what {@link sealToken} made; `undefined` for any other text, a different spelling of the same bytes included. */
export function openToken(ring: KeyRing, token: string, purpose: string): Buffer | undefined {
  const sealed = Buffer.from(token, 'base64url')
  // The last character may carry bits that decoding drops, and decoding skips foreign characters.
  return sealed.toString('base64url') === token ? ring.open(sealed, purpose) : undefined
}

/**
 * Reads the list of a key setting: base64 of exactly 32 bytes, several separated by commas.
 * Throws an error of one line that says what is wrong and repeats nothing of the keys.
 */
export function parseSecretKey(text: string): Buffer[] {
  return text.split(',').map((part, index) => {
    const encoded = part.trim()
    const key = Buffer.from(encoded, 'base64')
    const fault = faultOf(encoded, key)
    if (fault === undefined) return key
    throw new RangeError(`takes ${keyBytes} bytes in base64, several separated by commas; entry ${index + 1} is ${fault}`)
  })
}

function faultOf(encoded: string, key: Buffer): string | undefined {
  if (encoded === '') return 'empty'
  if (key.toString('base64') !== encoded) return 'not plain base64'
  return key.length === keyBytes ? undefined : `${key.length} bytes long`
}

type RingMember = { number: number; keyFor(purpose: string): KeyObject }

function ringMember(key: Buffer): RingMember {
  if (key.length !== keyBytes) throw new RangeError(`a key of the ring has ${keyBytes} bytes, not ${key.length}`)
  const subkeys = new Map<string, KeyObject>()
  return {
    // Taken from the key itself, so that the place in the list does not matter.
    number: createHash('sha256').update('atelier key number').update(key).digest().readUInt8(0),
    keyFor(purpose) {
      const use = purpose.split(':', 1)[0] ?? ''
      const known = subkeys.get(use)
      if (known !== undefined) return known
      const subkey = createSecretKey(Buffer.from(hkdfSync('sha256', key, '', `atelier seal ${use}`, keyBytes)))
      subkeys.set(use, subkey)
      return subkey
    },
  }
}

function decipher(sealed: Buffer, key: KeyObject, purpose: string): Buffer | undefined {
  const cipher = createDecipheriv(cipherName, key, sealed.subarray(2, headBytes), { authTagLength: tagBytes })
  cipher.setAAD(additionalData(sealed, purpose))
  cipher.setAuthTag(sealed.subarray(-tagBytes))
  try {
    return Buffer.concat([cipher.update(sealed.subarray(headBytes, -tagBytes)), cipher.final()])
  } catch {
    return undefined
  }
}

function additionalData(sealed: Buffer, purpose: string): Buffer {
  return Buffer.concat([sealed.subarray(0, 2), Buffer.from(purpose)])
}
