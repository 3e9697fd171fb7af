import { setTimeout as pause } from 'node:timers/promises'
import { ObjectNotFound, type Storage } from '../storage/storage.ts'
import type { ListedObject } from './objectList.ts'

/** Side by side; each takes a connection to either storage. */
export const objectsAtOnce = 16

const triesMax = 4

export type CopyOutcome = { found: 'there' | 'missing' | 'damaged' } | { found: 'copied'; sizeBytes: number }

type Copy = { from: Storage; fromKey: string; to: Storage; toKey: string; object: ListedObject }

/**
 * Copies an object unless it is there in the right size: it appeared whole or not at all, and never changes. What the source holds
 * in another size or with another checksum is not kept. A storage that fails is asked again a few times before this rejects.
 */
export async function copyObject(copy: Copy): Promise<CopyOutcome> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await copyOnce(copy)
    } catch (error) {
      if (error instanceof ObjectNotFound) return { found: 'missing' }
      if (tries === triesMax) throw error
      await pause(250 * 4 ** tries)
    }
  }
}

async function copyOnce({ from, fromKey, to, toKey, object }: Copy): Promise<CopyOutcome> {
  const present = await to.size(toKey)
  const expected = object.sizeBytes ?? (present === undefined ? undefined : await from.size(fromKey))
  if (present !== undefined && present === expected) return { found: 'there' }
  const written = await to.put(toKey, await from.open(fromKey))
  const isSound = (object.sizeBytes ?? written.sizeBytes) === written.sizeBytes && (object.sha256 ?? written.sha256) === written.sha256
  if (isSound) return { found: 'copied', sizeBytes: written.sizeBytes }
  await to.remove(toKey)
  return { found: 'damaged' }
}
