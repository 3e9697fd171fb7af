import { mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { isInUse, restoreObjects } from '../../src/backup/restoreObjects.ts'
import { contextFor } from '../../src/domain/context.ts'
import { diskStorage } from '../../src/storage/disk.ts'
import type { Storage } from '../../src/storage/storage.ts'
import { aDeploymentWithBackups } from '../support/database/backups.ts'
import { memoryFolder } from '../support/processes/memoryFolder.ts'

const { services, aResult, aTarget, back, close } = await aDeploymentWithBackups()
afterAll(close)

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
] as const)('a storage that has removed the oldest objects and has %s is in use', async ([, left]) => {
  const [target, storage] = [await aStorage(), await aStorage()]
  for (const key of left) await storage.put(key, Readable.from([Buffer.from('bytes')]))
  expect(await isInUse(storage, { target, objects: await aList(target) })).toBe(true)
})

test('a storage without an object of the backup is not in use', async () => {
  const [target, storage] = [await aStorage(), await aStorage()]
  expect(await isInUse(storage, { target, objects: await aList(target) })).toBe(false)
})

test('a list of objects that is changed after its check fails the restore', async () => {
  const [target, forged, storage] = [await aStorage(), await aStorage(), await aStorage()]
  const objects = await aList(target)
  const lines = (await target.read(objects.list.key)).toString().replace('gen_00001', 'gen_99999')
  await forged.put(objects.list.key, Readable.from([Buffer.from(lines)]))

  // The check opens the list, and the copying reads it.
  const swapped = { ...target, read: forged.read }
  await expect(restoreObjects({ target: swapped, storage }, { objects })).rejects.toThrow('objects.tsv is damaged')
  expect((await restoreObjects({ target, storage }, { objects })).count).toBe(keys.length)
})

test('objects that were created again since a backup are neither overwritten nor removed when lost objects are restored', {
  timeout: 120_000,
}, async () => {
  const id = await aResult('as it was')
  const target = await aTarget()
  const manifest = await back(target)
  const { rows } = await services.pool.query("select result->>'storageKey' as key from generations where id = $1", [id])
  const key = String(rows[0].key)
  // As after a recovery to an earlier moment, after which the work ran again.
  const { sizeBytes, sha256 } = await services.storage.put(key, Readable.from([Buffer.from('created again, and longer')]))
  const facts = JSON.stringify({ sizeBytes, sha256 })
  await services.pool.query('update generations set result = result || $2::jsonb where id = $1', [id, facts])
  const { sql } = contextFor(services, { kind: 'system' })
  const bring = () => restoreObjects({ target: target.storage, storage: services.storage, sql }, manifest)

  expect((await bring()).missingNamed).not.toContain(key)
  expect((await services.storage.read(key)).toString()).toBe('created again, and longer')
  // The backup has other content for the key.
  await services.storage.remove(key)
  expect((await bring()).missingNamed).toContain(key)
  expect(await services.storage.size(key)).toBeUndefined()
})
