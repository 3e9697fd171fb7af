import { randomBytes, randomInt, type ScryptOptions, scrypt, timingSafeEqual } from 'node:crypto'

const saltBytes = 16
const hashBytes = 32
const memoryBytesMax = 64 * 1024 * 1024
/** 32 MiB and about 0.2 s per attempt. */
const defaultCost = { logN: 15, r: 8, p: 3 }
const storedForm = /^scrypt\$(\d{1,2})\$(\d{1,2})\$(\d{1,2})\$([\w-]+)\$([\w-]+)$/

type Cost = { logN: number; r: number; p: number }

/** Without letters and digits that are easily confused. */
const readable = 'abcdefghjkmnpqrstuvwxyz23456789'

/** Creates a password that is easy to dictate and type: 16 characters in groups of four, 79 bits. */
export function makePassword(): string {
  const group = () => Array.from({ length: 4 }, () => readable[randomInt(readable.length)]).join('')
  return [group(), group(), group(), group()].join('-')
}

export type Passwords = {
  /** Hashes a password with scrypt and a random salt, as `scrypt$log2(N)$r$p$salt$hash`. */
  hash(password: string): Promise<string>
  /** Compares a password with a stored hash. Without a hash it takes as long and returns false, so that timing reveals nothing. */
  verify(password: string, stored: string | null): Promise<boolean>
}

/** The cost is stored with each hash, so that a higher cost does not invalidate old hashes. */
export function makePasswords(cost = defaultCost): Passwords {
  return { hash: (password) => hashPassword(password, cost), verify: (password, stored) => verifyPassword(password, stored, cost) }
}

async function hashPassword(password: string, cost: Cost): Promise<string> {
  const salt = randomBytes(saltBytes)
  const hash = await derive(password, salt, cost)
  return ['scrypt', cost.logN, cost.r, cost.p, salt.toString('base64url'), hash.toString('base64url')].join('$')
}

async function verifyPassword(password: string, stored: string | null, cost: Cost): Promise<boolean> {
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
function derive(password: string, salt: Buffer, { logN, r, p }: Cost): Promise<Buffer> {
  const options: ScryptOptions = { N: 2 ** logN, r, p, maxmem: memoryBytesMax }
  return new Promise((resolve, reject) => {
    scrypt(password.normalize('NFKC'), salt, hashBytes, options, (error, hash) => (error ? reject(error) : resolve(hash)))
  })
}
