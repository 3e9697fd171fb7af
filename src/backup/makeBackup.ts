import { randomBytes } from 'node:crypto'
import { setInterval as every } from 'node:timers/promises'
import type pg from 'pg'
import { openSnapshot, type Snapshot } from '../database/dump/snapshot.ts'
import type { Log } from '../database/log.ts'
import { jobsToBackUp } from '../database/queue/graphileInternals.ts'
import { identityOf } from '../database/replica/replicaStatements.ts'
import { beginBackup, endBackup, extendBackup, finishBackup, holdSeconds } from '../domain/backups/backupRecord.ts'
import { bindSql } from '../domain/sql.ts'
import type { KeyRing } from '../secrets/keyRing.ts'
import type { Storage } from '../storage/storage.ts'
import { backUpObjects } from './backUpObjects.ts'
import { dropSnapshots } from './dropSnapshots.ts'
import { keyProbePurpose } from './loadDatabase.ts'
import { type Manifest, ownerOf, readIndex, readManifest, type WrittenFile, writeIndex, writeManifest } from './manifest.ts'
import { writeObjectList } from './objectList.ts'
import { matchesChecksum } from './readRows.ts'
import { snapshotNameOf, type Target } from './target.ts'
import { writeTable } from './writeTable.ts'

const jobsTable = { name: 'jobs', columns: [] }

type Deployment = { databaseUrl: string; pool: pg.Pool; storage: Storage; ring: KeyRing; log: Log }
type Asked = { target: Target; release: string; keep: number | undefined; takesOver?: boolean; signal: AbortSignal }

/**
 * Makes a backup of database and objects as they are at one moment, while the service runs. Objects that the target has are not copied
 * again, so that one that was cut off is repeated and goes on where it was. Removals wait meanwhile (`removalsWait`). The manifest is
 * written last; then snapshots go that were cut off, and those beyond `keep`, with the objects that no other names. Where that fails, the
 * log says so and the backup is whole.
 * Rejects with a RangeError when another backup is under way; what was written so far stays, and is no backup. So it does when the target
 * holds snapshots of another database, unless `takesOver`: two that share one would clear away what the other is about to write.
 */
export async function makeBackup(deployment: Deployment, { target, release, keep, takesOver = false, signal }: Asked): Promise<Manifest> {
  const sql = bindSql(deployment.pool)
  const { cluster: owner } = await identityOf(deployment.pool)
  if (!takesOver) await requireOwnTarget(target.storage, owner)
  const { rows } = await deployment.pool.query<{ now: Date }>('select present() as now')
  const startedAt = rows[0]?.now ?? new Date(0)
  const name = snapshotNameOf(startedAt)
  const begun = performance.now()
  if (!(await beginBackup({ sql }, { name, target: target.words }))) throw new RangeError('another backup is under way')
  const over = new AbortController()
  const both = AbortSignal.any([signal, over.signal])
  const alive = keepClaimAlive(over, () => extendBackup({ sql }, name))
  try {
    if (!takesOver) await requireOwnTarget(target.storage, owner)
    const earlier = await readIndex(target.storage)
    await writeIndex(target.storage, [...earlier, { name, isWhole: false }], owner)
    const database = await writeDatabase(deployment, { target: target.storage, name, signal: both })
    const { list, count } = database.objects
    const before = await previousObjectList(target.storage, earlier)
    const copied = await backUpObjects({ sql, storage: deployment.storage, target: target.storage, list, before, signal: both })
    both.throwIfAborted()
    const manifest: Omit<Manifest, 'format'> = {
      ...database,
      name,
      release,
      startedAt: startedAt.toISOString(),
      seconds: Math.round(performance.now() - begun) / 1000,
      objects: { list, count, ...copied },
      keyProbe: deployment.ring.seal(randomBytes(16), keyProbePurpose).toString('base64'),
    }
    await writeManifest(target.storage, manifest, deployment.ring)
    // Another database may have begun at the same empty target, or this process may have stood still until others went on.
    await requireOwnTarget(target.storage, owner)
    if (!(await extendBackup({ sql }, name))) throw new RangeError(takenForDead)
    const others = (await readIndex(target.storage)).filter((each) => each.name !== name)
    await writeIndex(target.storage, [...others, { name, isWhole: true }], owner)
    await dropOlderSnapshots(deployment.log, target.storage, { keep, signal: both })
    await finishBackup({ sql }, { name, objects: count, bytes: copied.bytes, missing: copied.missingCount })
    return { format: 1, ...manifest }
  } finally {
    over.abort()
    await alive
    await endBackup({ sql }, name).catch((error: unknown) => deployment.log.warn({ error }, 'removals wait two minutes more'))
  }
}

/** While no other backup may begin: one that did would write what is cleared away here. The new snapshot is whole, however this ends. */
async function dropOlderSnapshots(log: Log, target: Storage, options: { keep: number | undefined; signal: AbortSignal }): Promise<void> {
  try {
    const damaged = await dropSnapshots(target, options)
    if (damaged.length > 0) log.warn({ damaged }, 'earlier snapshots are damaged: what only dropped ones held stays in the target')
  } catch (error) {
    log.warn({ error }, 'earlier snapshots could not be dropped: the next backup tries again')
  }
}

async function requireOwnTarget(storage: Storage, owner: string): Promise<void> {
  const known = await ownerOf(storage)
  if (known === undefined || known === owner) return
  throw new RangeError(
    'the target holds backups of another database: give each deployment its own, or --take-over once when that database is gone',
  )
}

const takenForDead = 'the database was away for too long, so that removals have gone on: run the backup again'

/** Tells that the backup lives until `over`; aborts it when that could not be told in time: removals have gone on by then. */
async function keepClaimAlive(over: AbortController, tell: () => Promise<boolean>): Promise<void> {
  let toldAt = performance.now()
  try {
    for await (const _ of every(holdSeconds * 100, undefined, { signal: over.signal })) {
      const isHeld = await tell().catch(() => undefined)
      if (isHeld === true) toldAt = performance.now()
      if (isHeld === false || performance.now() - toldAt > holdSeconds * 900) {
        over.abort(new RangeError(takenForDead))
      }
    }
  } catch (error) {
    if (!over.signal.aborted) throw error
  }
}

type Written = Pick<Manifest, 'migrations' | 'serverVersion' | 'tables' | 'jobs' | 'sequences'> & {
  objects: { list: WrittenFile; count: number }
}

async function writeDatabase(
  { databaseUrl, log }: Deployment,
  { target: storage, name, signal }: { target: Storage; name: string; signal: AbortSignal },
): Promise<Written> {
  const snapshot: Snapshot = await openSnapshot(databaseUrl, { log })
  try {
    const tables: Manifest['tables'] = []
    for (const table of snapshot.tables) {
      signal.throwIfAborted()
      tables.push(await writeTable(snapshot, { storage, name, table }))
    }
    const jobs = await writeTable(snapshot, { storage, name, table: jobsTable, selection: jobsToBackUp })
    const objects = await writeObjectList(snapshot, { storage, name })
    const { migrations, serverVersion } = snapshot
    return { migrations, serverVersion, tables, jobs, objects, sequences: await snapshot.sequences() }
  } finally {
    await snapshot.close()
  }
}

/** Of the last whole snapshot, when nothing was missing from it and it is as it was written. */
async function previousObjectList(
  storage: Storage,
  index: readonly { name: string; isWhole: boolean }[],
): Promise<WrittenFile | undefined> {
  const last = index.findLast(({ isWhole }) => isWhole)
  const manifest = last && (await readManifest(storage, last.name))
  if (manifest?.objects.missingCount !== 0) return undefined
  const { list } = manifest.objects
  return (await matchesChecksum(storage, list).catch(() => false)) ? list : undefined
}
