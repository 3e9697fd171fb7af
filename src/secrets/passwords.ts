import { randomBytes, randomInt, type ScryptOptions, scrypt, timingSafeEqual } from 'node:crypto'

const saltBytes = 16
const hashBytes = 32
const memoryBytesMax = 64 * 1024 * 1024
/** 32 MiB and about 0.2 s per attempt. Stored with each hash, so that a higher cost does not invalidate old hashes. */
const cost = { logN: 15, r: 8, p: 3 }
const storedForm = /^scrypt\$(\d{1,2})\$(\d{1,2})\$(\d{1,2})\$([\w-]+)\$([\w-]+)$/

/** Without letters and digits that are easily confused. */
const readable = 'abcdefghjkmnpqrstuvwxyz23456789'

/** Creates a password that is easy to dictate and type: 16 characters in groups of four, 79 bits. */
export function makePassword(): string {
  const group = () => Array.from({ length: 4 }, () => readable[randomInt(readable.length)]).join('')
  return [group(), group(), group(), group()].join('-')
}

/** Hashes a password with scrypt and a random salt, as `scrypt$log2(N)$r$p$salt$hash`. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(saltBytes)
  const hash = await derive(password, salt, cost)
  return ['scrypt', cost.logN, cost.r, cost.p, salt.toString('base64url'), hash.toString('base64url')].join('$')
}

/** Compares a password with a stored hash. Without a hash it takes as long and returns false, so that timing reveals nothing. */
export async function verifyPassword(password: string, stored: string | null): Promise<boolean> {
  const [, logN, r, p, salt = '', hash = ''] = storedForm.exec(stored ?? '') ?? []
  if (logN === undefined) {
    await derive(password, randomBytes(saltBytes), cost)
    return false
  }
  const kept = Buffer.from(hash, 'base64url')
  const derived = await derive(password, Buffer.from(salt, 'base64url'), { logN: Number(logN), r: Number(r), p: Number(p) })
  return kept.length === derived.length && timingSafeEqual(kept, derived)
}

/** NFKC: another keyboard may compose the same characters differently. */
function derive(password: string, salt: Buffer, { logN, r, p }: typeof cost): Promise<Buffer> {
  const options: ScryptOptions = { N: 2 ** logN, r, p, maxmem: memoryBytesMax }
  return new Promise((resolve, reject) => {
    scrypt(password.normalize('NFKC'), salt, hashBytes, options, (error, hash) => (error ? reject(error) : resolve(hash)))
  })
}
