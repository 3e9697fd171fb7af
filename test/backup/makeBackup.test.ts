import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { checkBackup } from '../../src/backup/checkBackup.ts'
import { chooseSnapshot } from '../../src/backup/chooseSnapshot.ts'
import { requireRestorable } from '../../src/backup/loadDatabase.ts'
import { makeBackup } from '../../src/backup/makeBackup.ts'
import type { Manifest } from '../../src/backup/manifest.ts'
import { isInUse, restoreObjects } from '../../src/backup/restoreObjects.ts'
import { objectKeyOf } from '../../src/backup/target.ts'
import { migrateDatabase } from '../../src/database/migrations/migrate.ts'
import { findLostObjects, sampleObjects } from '../../src/domain/backups/lostObjects.ts'
import { contextFor } from '../../src/domain/context.ts'
import { checkBooks } from '../../src/domain/credits/checkBooks.ts'
import { failAllOpenWork } from '../../src/domain/generations/ending/failAllOpenWork.ts'
import { pauseAllSubscriptions } from '../../src/domain/webhooks/subscriptions/pauseAllSubscriptions.ts'
import { makeKeyRing } from '../../src/secrets/keyRing.ts'
import type { Storage } from '../../src/storage/storage.ts'
import { aDeploymentWithBackups } from '../support/database/backups.ts'
import { testPool } from '../support/database/database.ts'
import { onePixel } from '../support/http/everyEndpoint.ts'
import { testServices } from '../support/services.ts'
import { anEnding, aSubscription } from '../support/webhooks/webhooks.ts'

const deployment = await aDeploymentWithBackups()
afterAll(deployment.close)
const { app, services, team, secretKey, start, aResult, aTarget, aStorage, aDatabase, back, load } = deployment

/**
 * A digest of every row of every table in a backup. Without links to results, which the service stores shortly after its response, so that
 * the original may get some during the backup.
 */
const digests = async (url: string, tables: readonly { name: string; columns: string[] }[]): Promise<Record<string, string>> => {
  const pool = testPool(url, 1)
  try {
    const found: Record<string, string> = {}
    for (const { name, columns } of tables.filter((table) => table.name !== 'public.result_links')) {
      const { rows } = await pool.query(
        `select count(*) || ' ' || coalesce(md5(string_agg(t::text, '|' order by t::text)), '') as digest from (select ${columns.join(', ')} from ${name}) t`,
      )
      found[name] = rows[0].digest
    }
    return found
  } finally {
    await pool.end()
  }
}

test('a restored copy has every row, job and object, its books balance, and it continues to work', { timeout: 120_000 }, async () => {
  await aSubscription(services, team, 'http://127.0.0.1:9/')
  await anEnding(team)
  const ready = await aResult('what was made')
  const open = await start()
  await app.ask('POST /files', { key: team.value, body: { base64: onePixel } })
  const target = await aTarget()
  const manifest = await back(target)
  expect(manifest.objects.missingCount).toBe(0)

  const url = await aDatabase()
  const storage = await aStorage()
  const { finish } = await load({ url, target })
  await expect(migrateDatabase(url, { log: services.log })).rejects.toThrow('half restored')
  await restoreObjects({ target: target.storage, storage }, manifest)
  await finish()
  await migrateDatabase(url, { log: services.log })

  expect(await digests(url, manifest.tables)).toEqual(await digests(app.databaseUrl, manifest.tables))
  const copy = await testServices({ databaseUrl: url, secretKey, clock: 'database' })
  onTestFinished(copy.close)
  const context = contextFor({ ...copy.services, storage }, { kind: 'system' })
  expect(await checkBooks(context)).toMatchObject({ clean: true })
  const { rows } = await context.pool.query("select key from graphile_worker.jobs where key = 'generation:' || $1", [open])
  expect(rows).toHaveLength(1)
  const { storageKey } = (await context.pool.query('select result from generations where id = $1', [ready])).rows[0].result
  expect((await storage.read(storageKey)).toString()).toBe('what was made')

  // As a copy beside a running original: it must not send or generate anything.
  expect(await pauseAllSubscriptions(context)).toBe(1)
  expect(await failAllOpenWork(context)).toBe(1)
  expect(await checkBooks(context)).toMatchObject({ clean: true })
  const { rows: paused } = await context.pool.query('select paused from webhook_subscriptions')
  expect(paused).toEqual([{ paused: true }])
})

test('a backup is complete only with its manifest, readable only by its owner, and copies only new objects', {
  timeout: 120_000,
}, async () => {
  const target = await aTarget()
  await expect(chooseSnapshot(target.storage, undefined)).rejects.toThrow('no complete backup')
  const stopped = new AbortController()
  stopped.abort(new RangeError('stopped'))
  await expect(makeBackup(deployment.source, { target, release: '0.0.0', keep: undefined, signal: stopped.signal })).rejects.toThrow(
    'stopped',
  )
  await expect(chooseSnapshot(target.storage, undefined)).rejects.toThrow('no complete backup')

  const first = await back(target)
  expect((await stat(join(target.folder, 'snapshots', first.name, 'manifest.json'))).mode & 0o777).toBe(0o600)
  await aResult('something new')
  const second = await back(target, { keep: 1 })
  expect(second.objects.copied).toBe(1)
  expect(await checkBackup(target.storage, second)).toEqual({ count: 0, named: [] })
  await expect(chooseSnapshot(target.storage, first.name)).rejects.toThrow(`no complete snapshot ${first.name}`)
})

test('of two databases that start a backup to the same empty target, one is refused and the other gets a sound backup', {
  timeout: 120_000,
}, async () => {
  const other = await aDeploymentWithBackups()
  onTestFinished(other.close)
  const target = await aTarget()
  const outcomes = await Promise.allSettled([back(target), other.back(target)])
  const made = outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []))
  const reasons = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [String(outcome.reason)] : []))
  expect({ made: made.length, reasons }).toEqual({ made: 1, reasons: [expect.stringContaining('another database')] })
  expect((await chooseSnapshot(target.storage, undefined)).name).toBe(made[0]?.name)
})

test('a backup that was frozen until another ended is not completed, and does not damage that one', { timeout: 120_000 }, async () => {
  const target = await aTarget()
  let next: Manifest | undefined
  const put: Storage['put'] = async (key, ...rest) => {
    if (key.endsWith('manifest.json')) {
      await services.pool.query("update backups set held_until = present() - interval '1 second' where finished_at is null")
      next = await back(target)
    }
    return target.storage.put(key, ...rest)
  }
  await expect(back({ ...target, storage: { ...target.storage, put } })).rejects.toThrow('run the backup again')
  const chosen = await chooseSnapshot(target.storage, undefined)
  expect(chosen.name).toBe(next?.name)
  expect(await checkBackup(target.storage, chosen)).toEqual({ count: 0, named: [] })
})

test('only objects that no remaining snapshot lists are removed from the target', { timeout: 120_000 }, async () => {
  const target = await aTarget()
  const gone = await aResult('soon deleted')
  const kept = await aResult('stays')
  const { rows } = await services.pool.query('select id, result from generations where id = any ($1)', [[gone, kept]])
  const keyOf = (id: string) => {
    const { storageKey: key, sha256 } = rows.find((row) => row.id === id).result
    return objectKeyOf({ key, sha256 })
  }
  await back(target)
  await app.ask(`DELETE /generations/${gone}/result`, { key: team.value })
  await back(target, { keep: 1 })
  expect(await target.storage.size(keyOf(gone))).toBeUndefined()
  expect(await target.storage.size(keyOf(kept))).toBe(5)
})

test('a damaged file stops a restore, and an interrupted restore continues', { timeout: 120_000 }, async () => {
  const target = await aTarget()
  const manifest = await back(target)
  const file = manifest.tables.find(({ name }) => name === 'public.ledger_entries')?.files[0]
  if (!file) throw new Error('the ledger has no rows')
  const whole = await target.storage.read(file.key)
  await target.storage.put(file.key, Readable.from([Buffer.concat([whole, Buffer.from([0])])]))
  expect(await checkBackup(target.storage, manifest)).toEqual({ count: 1, named: [`${file.key} is damaged`] })

  const url = await aDatabase()
  await expect(load({ url, target })).rejects.toThrow('is damaged')
  await target.storage.put(file.key, Readable.from([whole]))
  const { finish } = await load({ url, target })
  await finish()
  expect(await digests(url, manifest.tables)).toEqual(await digests(app.databaseUrl, manifest.tables))
})

test('a restore is refused with another key, into a database in use, and into the storage of a deployment', {
  timeout: 120_000,
}, async () => {
  const target = await aTarget()
  const manifest = await back(target)
  await expect(requireRestorable(manifest, makeKeyRing([Buffer.alloc(32, 4)]))).rejects.toThrow('SECRET_KEY does not decrypt')
  await expect(requireRestorable(manifest, makeKeyRing([Buffer.alloc(32, 4), secretKey]))).resolves.toBeUndefined()
  const newer = { ...manifest, migrations: [...manifest.migrations, { version: 9999, name: '9999-x.sql', checksum: '' }] }
  await expect(requireRestorable(newer, services.ring)).rejects.toThrow('made by a newer release')
  await expect(load({ url: app.databaseUrl, target })).rejects.toThrow('the database is not empty')
  const ofAnother = await aDatabase()
  const pool = testPool(ofAnother, 1)
  await pool.query('create schema auth; create table auth.users (id integer)')
  await pool.end()
  await expect(load({ url: ofAnother, target })).rejects.toThrow('the database is not empty')
  expect(await isInUse(services.storage, { target: target.storage, objects: manifest.objects })).toBe(true)
  expect(await isInUse(await aStorage(), { target: target.storage, objects: manifest.objects })).toBe(false)
})

test('a lost object is reported and restored from the backup, an object that was deleted since is not', { timeout: 120_000 }, async () => {
  const lost = await aResult('lost and found')
  const deleted = await aResult('deleted')
  const target = await aTarget()
  const manifest = await back(target)
  const context = contextFor(services, { kind: 'system' })
  const { rows } = await services.pool.query("select result->>'storageKey' as key from generations where id = any ($1) order by id", [
    [lost, deleted],
  ])
  const [lostKey, deletedKey] = rows.map(({ key }) => key) as [string, string]
  await services.storage.remove(lostKey)
  await app.ask(`DELETE /generations/${deleted}/result`, { key: team.value })
  await services.storage.remove(deletedKey)

  const before = await findLostObjects(context)
  expect(before.lost.map(({ key }) => key)).toContain(lostKey)
  expect(before.lost.map(({ key }) => key)).not.toContain(deletedKey)
  expect((await sampleObjects(context)).lost.map(({ key }) => key)).toContain(lostKey)
  await restoreObjects({ target: target.storage, storage: services.storage, sql: context.sql }, manifest)
  expect((await services.storage.read(lostKey)).toString()).toBe('lost and found')
  expect(await services.storage.size(deletedKey)).toBeUndefined()
})
