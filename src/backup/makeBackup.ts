import { randomBytes } from 'node:crypto'
import { setInterval as every } from 'node:timers/promises'
import type pg from 'pg'
import { openSnapshot, type Snapshot } from '../database/dump/snapshot.ts'
import type { Log } from '../database/log.ts'
import { noProgress, type ShowProgress } from '../database/progress.ts'
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
type BackupRequest = {
  target: Target
  release: string
  keep: number | undefined
  takesOver?: boolean
  signal: AbortSignal
  showProgress?: ShowProgress
}

/**
 * Backs up database and objects at one moment, while the service runs. Objects that the target has are not copied again, so that a repeated
 * backup continues an interrupted one. The service removes no objects meanwhile (`removalsWait`). The manifest is written last; then
 * incomplete snapshots and those beyond `keep` are dropped, with the objects that no other snapshot lists. If that fails, it is logged and
 * the backup is complete. Rejects with a RangeError if another backup is running, and if the target has snapshots of another database,
 * unless `takesOver`: two databases would drop each other's objects. An unfinished snapshot stays, and cannot be restored.
 */
export async function makeBackup(
  deployment: Deployment,
  { target, release, keep, takesOver = false, signal, showProgress = noProgress }: BackupRequest,
): Promise<Manifest> {
  const sql = bindSql(deployment.pool)
  const { cluster: owner } = await identityOf(deployment.pool)
  if (!takesOver) await requireOwnTarget(target.storage, owner)
  const { rows } = await deployment.pool.query<{ now: Date }>('select present() as now')
  const startedAt = rows[0]?.now ?? new Date(0)
  const name = snapshotNameOf(startedAt)
  const startedMs = performance.now()
  if (!(await beginBackup({ sql }, { name, target: target.words }))) throw new RangeError('another backup is running')
  const over = new AbortController()
  const both = AbortSignal.any([signal, over.signal])
  const alive = keepClaimAlive(over, () => extendBackup({ sql }, name))
  try {
    if (!takesOver) await requireOwnTarget(target.storage, owner)
    const earlier = await readIndex(target.storage)
    await writeIndex(target.storage, [...earlier, { name, isWhole: false }], owner)
    const database = await writeDatabase(deployment, { target: target.storage, name, signal: both, showProgress })
    const { list, count } = database.objects
    const before = await previousObjectList(target.storage, earlier)
    const step = showProgress({ label: 'objects', unit: 'objects', total: count })
    const from = { sql, storage: deployment.storage, target: target.storage }
    const copied = await backUpObjects({ ...from, list, before, signal: both, onObject: () => step.add(1) })
    step.end()
    both.throwIfAborted()
    const manifest: Omit<Manifest, 'format'> = {
      ...database,
      name,
      release,
      startedAt: startedAt.toISOString(),
      seconds: Math.round(performance.now() - startedMs) / 1000,
      objects: { list, count, ...copied },
      keyProbe: deployment.ring.seal(randomBytes(16), keyProbePurpose).toString('base64'),
    }
    await writeManifest(target.storage, manifest, deployment.ring)
    // Another database may have started at the same empty target, or this process may have been frozen.
    await requireOwnTarget(target.storage, owner)
    if (!(await extendBackup({ sql }, name))) throw new RangeError(claimLost)
    const others = (await readIndex(target.storage)).filter((each) => each.name !== name)
    await writeIndex(target.storage, [...others, { name, isWhole: true }], owner)
    await dropOlderSnapshots(deployment.log, target.storage, { keep, signal: both })
    await finishBackup({ sql }, { name, objects: count, bytes: copied.bytes, missing: copied.missingCount })
    return { format: 1, ...manifest }
  } finally {
    over.abort()
    await alive
    await endBackup({ sql }, name).catch((error: unknown) =>
      deployment.log.warn({ error }, 'ending the backup failed: removals wait two more minutes'),
    )
  }
}

/** Runs while no other backup can start, which would write objects that are removed here. Errors are logged: the new snapshot is complete. */
async function dropOlderSnapshots(log: Log, target: Storage, options: { keep: number | undefined; signal: AbortSignal }): Promise<void> {
  try {
    const damaged = await dropSnapshots(target, options)
    if (damaged.length > 0) log.warn({ damaged }, 'earlier snapshots are damaged: objects of dropped snapshots stay in the target')
  } catch (error) {
    log.warn({ error }, 'dropping earlier snapshots failed: the next backup tries again')
  }
}

async function requireOwnTarget(storage: Storage, owner: string): Promise<void> {
  const known = await ownerOf(storage)
  if (known === undefined || known === owner) return
  throw new RangeError(
    'the target has backups of another database: use one target for each deployment, or add --take-over once if that database is gone',
  )
}

const claimLost = 'the database was unreachable for too long, so that removals have continued: run the backup again'

/** Extends the claim of the backup until `over`; aborts it if that failed for too long: removals have continued by then. */
async function keepClaimAlive(over: AbortController, extend: () => Promise<boolean>): Promise<void> {
  let extendedAt = performance.now()
  try {
    for await (const _ of every(holdSeconds * 100, undefined, { signal: over.signal })) {
      const isHeld = await extend().catch(() => undefined)
      if (isHeld === true) extendedAt = performance.now()
      if (isHeld === false || performance.now() - extendedAt > holdSeconds * 900) {
        over.abort(new RangeError(claimLost))
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
  {
    target: storage,
    name,
    signal,
    showProgress,
  }: { target: Storage; name: string } & Required<Pick<BackupRequest, 'signal' | 'showProgress'>>,
): Promise<Written> {
  const snapshot: Snapshot = await openSnapshot(databaseUrl, { log })
  try {
    const tables: Manifest['tables'] = []
    const step = showProgress({ label: 'rows', unit: 'bytes', total: snapshot.estimatedBytes })
    for (const table of snapshot.tables) {
      signal.throwIfAborted()
      tables.push(await writeTable(snapshot, { storage, name, table, onBytes: step.add }))
    }
    step.end()
    const jobs = await writeTable(snapshot, { storage, name, table: jobsTable, selection: jobsToBackUp })
    const objects = await writeObjectList(snapshot, { storage, name })
    const { migrations, serverVersion } = snapshot
    return { migrations, serverVersion, tables, jobs, objects, sequences: await snapshot.sequences() }
  } finally {
    await snapshot.close()
  }
}

/** The object list of the last complete snapshot, if nothing was missing from it and it is intact. */
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
