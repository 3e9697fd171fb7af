import { Readable } from 'node:stream'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { chooseSnapshot } from '../../src/backup/chooseSnapshot.ts'
import { dropSnapshots } from '../../src/backup/dropSnapshots.ts'
import { makeBackup } from '../../src/backup/makeBackup.ts'
import { readIndex, writeIndex } from '../../src/backup/manifest.ts'
import { restoreObjects } from '../../src/backup/restoreObjects.ts'
import { objectKeyOf } from '../../src/backup/target.ts'
import type { Storage } from '../../src/storage/storage.ts'
import { aDeploymentWithBackups } from '../support/database/backups.ts'
import { testServices } from '../support/services.ts'

const { services, secretKey, aResult, aTarget, aStorage, back, close } = await aDeploymentWithBackups()
afterAll(close)

test('two deployments cannot share a target, where one would drop objects of the other', { timeout: 120_000 }, async () => {
  const target = await aTarget()
  const first = await back(target)
  const other = await testServices({ secretKey, clock: 'database' })
  onTestFinished(other.close)
  const asOther = (takesOver: boolean) =>
    makeBackup(
      { ...other.services, databaseUrl: other.databaseUrl },
      { target, release: '0.0.0', keep: 1, takesOver, signal: new AbortController().signal },
    )
  await expect(asOther(false)).rejects.toThrow('backups of another database')
  expect((await chooseSnapshot(target.storage, undefined)).name).toBe(first.name)
  // As if the first database is gone and was restored as this one.
  const taken = await asOther(true)
  expect((await chooseSnapshot(target.storage, undefined)).name).toBe(taken.name)
  await expect(back(target)).rejects.toThrow('backups of another database')
})

test('a damaged object list restores no objects, does not count as a complete list, and prevents dropping objects', {
  timeout: 120_000,
}, async () => {
  const target = await aTarget()
  await aResult('named by the list')
  const manifest = await back(target)
  const { key } = manifest.objects.list
  const lines = (await target.storage.read(key)).toString('latin1').split('\n')
  const object = lines[0] ?? ''
  await target.storage.put(key, Readable.from([Buffer.from(lines.slice(1).join('\n'))]))
  await expect(restoreObjects({ target: target.storage, storage: await aStorage() }, manifest)).rejects.toThrow('is damaged')

  const [name = '', , sha256] = object.split('\t')
  const lost = objectKeyOf({ key: name, sha256: sha256 === '\\N' ? undefined : sha256 })
  // An incomplete snapshot with an object that only the damaged snapshot also lists.
  await target.storage.put('snapshots/cut/objects.tsv', Readable.from([Buffer.from(`${object}\n`)]))
  const index = await readIndex(target.storage)
  await writeIndex(target.storage, [{ name: 'cut', isWhole: false }, ...index])
  expect(await dropSnapshots(target.storage, { keep: undefined, signal: new AbortController().signal })).toEqual([manifest.name])
  expect(await target.storage.size(lost)).toBeDefined()
  // The next backup does not use the damaged list.
  await target.storage.remove(lost)
  expect((await back(target)).objects.copied).toBe(1)
})

test('no other backup starts while snapshots are dropped, and if dropping fails the new snapshot is complete', {
  timeout: 120_000,
}, async () => {
  const target = await aTarget()
  await back(target)
  const meanwhile: unknown[] = []
  const storage: Storage = {
    ...target.storage,
    async remove() {
      meanwhile.push(await back(target).catch((error: unknown) => error))
      throw new Error('the target is read-only')
    },
  }
  const second = await back({ ...target, storage }, { keep: 1 })
  expect(meanwhile).not.toEqual([])
  for (const answer of meanwhile) expect(answer).toMatchObject({ message: 'another backup is running' })
  expect((await chooseSnapshot(target.storage, undefined)).name).toBe(second.name)
  const { rows } = await services.pool.query('select finished_at from backups where name = $1', [second.name])
  expect(rows).toEqual([{ finished_at: expect.any(Date) }])
  // The next backup drops it.
  const third = await back(target, { keep: 1 })
  expect(await readIndex(target.storage)).toEqual([{ name: third.name, isWhole: true }])
})
