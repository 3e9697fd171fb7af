import { forEachConcurrent } from '../concurrency/forEachConcurrent.ts'
import type { Storage } from '../storage/storage.ts'
import { objectsAtOnce } from './copyObject.ts'
import { type Manifest, readIndex, readManifest, type SnapshotIndex, writeIndex } from './manifest.ts'
import { listed, markedWith } from './objectList.ts'
import { matchesChecksum } from './readRows.ts'
import { objectKeyOf, snapshotKeyOf } from './target.ts'
import { tableFileOf } from './writeTable.ts'

/**
 * Removes incomplete snapshots, and complete ones beyond the newest `keep` (undefined keeps all), with the objects that no remaining snapshot
 * lists. They are removed from the index last, so that the next backup continues an interrupted removal. Returns the remaining snapshots
 * whose object list is damaged: while there is one, no object is removed. Rejects when `signal` aborts, since another backup may have
 * started at the target.
 */
export async function dropSnapshots(storage: Storage, { keep, signal }: Keeping): Promise<string[]> {
  const index = await readIndex(storage)
  const whole = index.filter(({ isWhole }) => isWhole).map(({ name }) => name)
  const kept = new Set(keep === undefined ? whole : whole.slice(-Math.max(1, keep)))
  const dropped = index.filter(({ name }) => !kept.has(name))
  if (dropped.length === 0) return []
  signal.throwIfAborted()
  // From here on they cannot be restored.
  await writeIndex(
    storage,
    index.map(({ name }) => ({ name, isWhole: kept.has(name) })),
  )
  const manifests = (await Promise.all([...kept].map((name) => readManifest(storage, name)))).filter((found) => found !== undefined)
  const damaged: string[] = []
  for (const { name, objects } of manifests) if (!(await matchesChecksum(storage, objects.list).catch(() => false))) damaged.push(name)
  for (const { name } of dropped) {
    if (damaged.length === 0) await dropObjects(storage, { name, kept: manifests, signal })
    await dropFiles(storage, { name, kept: manifests, signal })
  }
  signal.throwIfAborted()
  await writeIndex(storage, index.filter(({ name }) => kept.has(name)) satisfies SnapshotIndex)
  return damaged
}

type Keeping = { keep: number | undefined; signal: AbortSignal }

async function dropObjects(storage: Storage, { name, kept, signal }: Dropped): Promise<void> {
  const key = snapshotKeyOf(name, 'objects.tsv')
  const sizeBytes = await storage.size(key)
  if (sizeBytes === undefined) return
  const others = kept.map(({ objects }) => listed(storage, objects.list))
  await forEachConcurrent(markedWith(listed(storage, { key, sizeBytes }), others), objectsAtOnce, async ({ object, elsewhere }) => {
    signal.throwIfAborted()
    if (!elsewhere) await storage.remove(objectKeyOf(object))
  })
}

type Dropped = { name: string; kept: readonly Manifest[]; signal: AbortSignal }

/** An incomplete snapshot has no manifest: its files are found by the file names of other snapshots. */
async function dropFiles(storage: Storage, { name, kept, signal }: Dropped): Promise<void> {
  const manifest = await readManifest(storage, name)
  const tables = new Set([manifest, ...kept].flatMap((each) => (each ? [...each.tables, each.jobs] : [])).map((table) => table.name))
  for (const table of tables) {
    for (let number = 1; ; number += 1) {
      const key = snapshotKeyOf(name, tableFileOf(table, number))
      if ((await storage.size(key)) === undefined) break
      signal.throwIfAborted()
      await storage.remove(key)
    }
  }
  signal.throwIfAborted()
  for (const file of ['objects.tsv', 'manifest.seal', 'manifest.json']) await storage.remove(snapshotKeyOf(name, file))
}
