import { randomBytes } from 'node:crypto'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import type { Storage } from './storage.ts'

/** Writes, reads and removes a small object. Rejects with one sentence that starts with `place`. */
export async function checkStorage(storage: Pick<Storage, 'put' | 'open' | 'remove'>, place: string): Promise<void> {
  const key = `check-${randomBytes(8).toString('hex')}`
  const content = randomBytes(64)
  let step = 'written'
  try {
    await storage.put(key, Readable.from([content]))
    step = 'read'
    const found = await buffer(await storage.open(key))
    if (!found.equals(content)) throw new Error('it returned other bytes than were written')
    step = 'removed'
    await storage.remove(key)
  } catch (error) {
    throw new Error(`${place}: objects cannot be ${step}: ${errorText(error)}`, { cause: error })
  }
}

function errorText(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  // S3 servers often send a code and no message.
  const words = error.name === 'Error' || error.message.includes(error.name) ? error.message : `${error.name} ${error.message}`
  return words.replaceAll(/\s+/g, ' ').trim()
}
