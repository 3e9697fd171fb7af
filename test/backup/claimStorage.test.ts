import { afterAll, expect, test } from 'vitest'
import { chooseSnapshot } from '../../src/backup/chooseSnapshot.ts'
import { claimStorage } from '../../src/backup/claimStorage.ts'
import { restoreObjects } from '../../src/backup/restoreObjects.ts'
import type { Storage } from '../../src/storage/storage.ts'
import { aDeploymentWithBackups } from '../support/database/backups.ts'

const { services, aResult, aTarget, aStorage, aDatabase, back, load, close } = await aDeploymentWithBackups()
afterAll(close)

test('a repeated restore uses the storage that it claimed, and never that of a deployment', { timeout: 120_000 }, async () => {
  const target = await aTarget()
  await aResult('of another deployment')
  const { objects } = await back(target)
  const [url, own] = [await aDatabase(), await aStorage()]
  const on = (storage: Storage) => ({
    claimStorage: (restoreId: string) => claimStorage(storage, { target: target.storage, objects, restoreId }),
  })
  const manifest = await chooseSnapshot(target.storage, undefined)
  await load({ url, target, ...on(own) })
  await restoreObjects({ target: target.storage, storage: own }, manifest)
  // As if STORAGE_URL had been changed before the second run.
  await expect(load({ url, target, ...on(services.storage) })).rejects.toThrow('the storage already contains objects of this backup')
  await expect(load({ url, target, ...on(own) })).resolves.toBeDefined()
  // Another restore must not use the claimed storage.
  await expect(load({ url: await aDatabase(), target, ...on(own) })).rejects.toThrow('the storage already contains objects of this backup')
})
