import { createCipheriv, createDecipheriv, createHash, createSecretKey, hkdfSync, type KeyObject, randomFillSync } from 'node:crypto'

const version = 1
const keyBytes = 32
const ivBytes = 12
const tagBytes = 16
const headBytes = 2 + ivBytes
const cipherName = 'aes-256-gcm'

/**
 * Seals and opens small secrets with AES-256-GCM.
 *
 * `purpose` is `use` or `use:subject`, for example `result_link` or `webhook_subscriptions.signing_secret:hook_…`. It is authenticated,
 * so that a sealed value cannot be moved to another row or use. Each use has its own subkey, so write the use as a literal in the code.
 * Layout: version, key number, 12-byte iv, ciphertext, 16-byte tag. Random ivs allow 2^32 seals per use and key.
 */
export type KeyRing = {
  seal(plain: Buffer, purpose: string): Buffer
  /** Undefined when the value was altered or truncated, or sealed for another purpose or by a key that is not in the ring. */
  open(sealed: Buffer, purpose: string): Buffer | undefined
  /** True when the current key sealed the value. Values of an earlier key must be sealed again before that key is removed. */
  isCurrent(sealed: Buffer, purpose: string): boolean
  /** Derives 32 bytes for one use from the current key: the same in every process with that key. */
  derive(use: string): Buffer
}

/** Creates a ring of raw 32-byte keys: the first key seals, all of them open. Throws without keys and for another key size. */
export function makeKeyRing(keys: Buffer[]): KeyRing {
  const members = keys.map(ringMember)
  const [writer] = members
  const [writingKey] = keys
  if (writer === undefined || writingKey === undefined) throw new RangeError('a key ring needs at least one key')

  return {
    seal(plain, purpose) {
      const head = Buffer.concat([Buffer.of(version, writer.number), nextIv()])
      const cipher = createCipheriv(cipherName, writer.keyFor(purpose), head.subarray(2), { authTagLength: tagBytes })
      cipher.setAAD(additionalData(head, purpose))
      return Buffer.concat([head, cipher.update(plain), cipher.final(), cipher.getAuthTag()])
    },

    open(sealed, purpose) {
      if (sealed.length < headBytes + tagBytes || sealed[0] !== version) return undefined
      for (const member of members) {
        // Two keys share a number with a probability of 1 in 256. Then both are tried.
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

/** Random bytes for many ivs at once: each call of the generator takes longer than the bytes of one iv. */
const ivPool = Buffer.alloc(ivBytes * 256)
let ivsLeft = 0

/** A random iv, to be copied before the next call: no two calls return the same bytes. */
function nextIv(): Buffer {
  if (ivsLeft === 0) {
    randomFillSync(ivPool)
    ivsLeft = ivPool.length / ivBytes
  }
  ivsLeft -= 1
  return ivPool.subarray(ivsLeft * ivBytes, (ivsLeft + 1) * ivBytes)
}

/** Seals `plain` as URL-safe text: base64url without padding. */
export function sealToken(ring: KeyRing, plain: Buffer, purpose: string): string {
  return ring.seal(plain, purpose).toString('base64url')
}

/** Opens a token of {@link sealToken}; undefined for any other text, including another encoding of the same bytes. */
export function openToken(ring: KeyRing, token: string, purpose: string): Buffer | undefined {
  const sealed = Buffer.from(token, 'base64url')
  // Decoding drops unused bits of the last character and skips invalid characters.
  return sealed.toString('base64url') === token ? ring.open(sealed, purpose) : undefined
}

/**
 * Parses a key setting: base64 of exactly 32 bytes, several separated by commas.
 * Throws an error with a one-line message that contains nothing of the keys.
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
    // Derived from the key, so that its position in the list does not matter.
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
