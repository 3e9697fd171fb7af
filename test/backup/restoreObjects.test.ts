import { mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { expect, onTestFinished, test } from 'vitest'
import { isInUse } from '../../src/backup/restoreObjects.ts'
import { diskStorage } from '../../src/storage/disk.ts'
import type { Storage } from '../../src/storage/storage.ts'
import { memoryFolder } from '../support/memoryFolder.ts'

const aStorage = async (): Promise<Storage> => {
  const folder = await mkdtemp(join(memoryFolder(), 'atelier-storage-'))
  const storage = diskStorage({ folder })
  onTestFinished(async () => {
    await storage.close()
    await rm(folder, { recursive: true, force: true })
  })
  return storage
}

const keys = Array.from({ length: 1000 }, (_, number) => `results/gen_${String(number).padStart(5, '0')}/1`)

const aList = async (target: Storage) => {
  const lines = keys.map((key) => `${key}\t5\t\\N\tf\n`).join('')
  const list = await target.put('snapshots/one/objects.tsv', Readable.from([Buffer.from(lines)]))
  return { list, count: keys.length, bytes: 0, copied: 0, copiedBytes: 0, missingCount: 0, missing: [] }
}

test.for([
  ['the newest', keys.slice(-1)],
  ['some in the middle', keys.slice(500, 520)],
] as const)('a storage that has removed the oldest objects since and still has %s is in use', async ([, left]) => {
  const [target, storage] = [await aStorage(), await aStorage()]
  for (const key of left) await storage.put(key, Readable.from([Buffer.from('bytes')]))
  expect(await isInUse(storage, { target, objects: await aList(target) })).toBe(true)
})

test('a storage without an object of the backup is not in use', async () => {
  const [target, storage] = [await aStorage(), await aStorage()]
  expect(await isInUse(storage, { target, objects: await aList(target) })).toBe(false)
})
