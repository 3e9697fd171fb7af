import { setTimeout as pause } from 'node:timers/promises'
import { ObjectNotFound, type Storage } from '../storage/storage.ts'
import type { ListedObject } from './objectList.ts'

/** Concurrent copies; each uses a connection to both storages. */
export const objectsAtOnce = 16

const attemptsMax = 4

export type CopyOutcome = { found: 'there' | 'missing' | 'damaged' } | { found: 'copied'; sizeBytes: number }

type Copy = { from: Storage; fromKey: string; to: Storage; toKey: string; object: ListedObject }

/**
 * Copies an object unless the target has it with the right size: objects appear complete and never change. A source object with another
 * size or checksum is not kept. Retries a few times before it rejects.
 */
export async function copyObject(copy: Copy): Promise<CopyOutcome> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await copyOnce(copy)
    } catch (error) {
      if (error instanceof ObjectNotFound) return { found: 'missing' }
      if (tries === attemptsMax) throw error
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
