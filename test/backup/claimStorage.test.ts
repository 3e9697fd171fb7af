import { afterAll, expect, test } from 'vitest'
import { chooseSnapshot } from '../../src/backup/chooseSnapshot.ts'
import { claimStorage } from '../../src/backup/claimStorage.ts'
import { restoreObjects } from '../../src/backup/restoreObjects.ts'
import type { Storage } from '../../src/storage/storage.ts'
import { aDeploymentWithBackups } from '../support/database/backups.ts'

const { services, aResult, aTarget, aStorage, aDatabase, back, load, close } = await aDeploymentWithBackups()
afterAll(close)

test('a restore that goes on takes the storage that it claimed, and never that of a deployment', { timeout: 120_000 }, async () => {
  const target = await aTarget()
  await aResult("somebody else's")
  const { objects } = await back(target)
  const [url, own] = [await aDatabase(), await aStorage()]
  const on = (storage: Storage) => ({
    claimStorage: (restoreId: string) => claimStorage(storage, { target: target.storage, objects, restoreId }),
  })
  const manifest = await chooseSnapshot(target.storage, undefined)
  await load({ url, target, ...on(own) })
  await restoreObjects({ target: target.storage, storage: own }, manifest)
  // Run again by somebody whose STORAGE_URL is another by now.
  await expect(load({ url, target, ...on(services.storage) })).rejects.toThrow('the storage holds objects of this backup already')
  await expect(load({ url, target, ...on(own) })).resolves.toBeDefined()
  // What one restore has claimed is no free storage for another.
  await expect(load({ url: await aDatabase(), target, ...on(own) })).rejects.toThrow('the storage holds objects of this backup already')
})
