import { mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { expect, onTestFinished, test } from 'vitest'
import { type Manifest, readManifest, readSealedManifest, writeManifest } from '../../src/backup/manifest.ts'
import { makeKeyRing } from '../../src/secrets/keyRing.ts'
import { diskStorage } from '../../src/storage/disk.ts'
import { memoryFolder } from '../support/processes/memoryFolder.ts'

const aManifest = ({ name, columns }: { name: string; columns: string[] }): Omit<Manifest, 'format'> => ({
  name: 'one',
  release: '0.0.0',
  startedAt: '2026-11-22T21:40:00.000Z',
  seconds: 1,
  serverVersion: '18.0',
  migrations: [{ version: 1, name: '0001-x.sql', checksum: '' }],
  tables: [{ name, columns, rows: 0, files: [] }],
  sequences: [],
  jobs: { name: 'jobs', columns: [], rows: 0, files: [] },
  objects: {
    list: { key: 'snapshots/one/objects.tsv', sizeBytes: 0, sha256: '' },
    count: 0,
    bytes: 0,
    copied: 0,
    copiedBytes: 0,
    missingCount: 0,
    missing: [],
  },
  keyProbe: '',
})

const ring = makeKeyRing([Buffer.alloc(32, 1)])

async function aTarget() {
  const folder = await mkdtemp(join(memoryFolder(), 'atelier-manifest-'))
  const storage = diskStorage({ folder })
  onTestFinished(async () => {
    await storage.close()
    await rm(folder, { recursive: true, force: true })
  })
  return storage
}

const read = async (table: { name: string; columns: string[] }) => {
  const storage = await aTarget()
  await writeManifest(storage, aManifest(table), ring)
  return readManifest(storage, 'one')
}

test.for([
  { name: "public.teams disable trigger user; copy public.teams from program 'true' --", columns: ['id'] },
  { name: 'public.teams', columns: ["id) from program 'true' --"] },
])('a manifest with names that are not plain identifiers is refused: $name, $columns', async (table) => {
  await expect(read(table)).rejects.toThrow('is not a valid file of a backup')
})

test.for([
  { name: 'public.teams', columns: ['id', 'name'] },
  { name: 'auth."user"', columns: ['id', '"userId"'] },
])('quoted names of the database are accepted: $name', async (table) => {
  expect((await read(table))?.tables[0]).toMatchObject(table)
})

test('a manifest is accepted only with a valid seal: not if it was changed, sealed with another key, or has no seal', async () => {
  const storage = await aTarget()
  const check = (options: Partial<Parameters<typeof readSealedManifest>[2]> = {}) =>
    readSealedManifest(storage, 'one', { ring, acceptUnsealed: false, ...options })
  await writeManifest(storage, aManifest({ name: 'public.teams', columns: ['id'] }), ring)
  await check()
  await check({ ring: makeKeyRing([Buffer.alloc(32, 2), Buffer.alloc(32, 1)]) })
  await expect(check({ ring: makeKeyRing([Buffer.alloc(32, 2)]), acceptUnsealed: true })).rejects.toThrow('SECRET_KEY')
  const manifest = (await storage.read('snapshots/one/manifest.json')).toString()
  await storage.put('snapshots/two/manifest.json', Readable.from([Buffer.from(manifest)]), {})
  await storage.put('snapshots/two/manifest.seal', Readable.from([await storage.read('snapshots/one/manifest.seal')]), {})
  await expect(readManifest(storage, 'two')).rejects.toThrow('names the snapshot one')
  await expect(readSealedManifest(storage, 'two', { ring, acceptUnsealed: false })).rejects.toThrow('names the snapshot one')
  await storage.put('snapshots/one/manifest.json', Readable.from([Buffer.from(manifest.replace('public.teams', 'public.users'))]), {})
  await expect(check({ acceptUnsealed: true })).rejects.toThrow('was changed')
  await storage.remove('snapshots/one/manifest.seal')
  await expect(check()).rejects.toThrow('--accept-unsealed')
  await check({ acceptUnsealed: true })
})
