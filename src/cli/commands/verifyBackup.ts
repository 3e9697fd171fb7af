import { chooseSnapshot } from '../../backup/chooseSnapshot.ts'
import { requireRestorable } from '../../backup/loadDatabase.ts'
import { readSealedManifest } from '../../backup/manifest.ts'
import { proveSnapshot } from '../../backup/proveSnapshot.ts'
import type { Target } from '../../backup/target.ts'
import { DatabaseStartError } from '../../database/databaseStartError.ts'
import { schemaVersion } from '../../database/migrations/migrate.ts'
import { proveBackup, withVerification } from '../../domain/backups/backupProof.ts'
import { bindSql } from '../../domain/sql.ts'
import { commandLogger } from '../boot/logger.ts'
import { type Deployment, openForBackup } from '../boot/openForBackup.ts'
import { openScratchDatabase } from '../boot/openScratchDatabase.ts'
import { printDatabase, readCommandConfig } from '../boot/readCommandConfig.ts'
import { progressReporter } from '../progress.ts'

type Asked = { snapshot: string | undefined; embedded: boolean }

/**
 * `atelier backup --verify`: proves that a snapshot can be restored, and records the proof in the database of the deployment. Returns 1 if the
 * restored copy has a fault. Throws a RangeError with one line if it cannot be restored, another verification runs, or a signal stops it; the
 * scratch database is dropped first.
 * Contract: docs/contract.md#backup.
 */
export async function verifyBackup(target: Target, { snapshot, embedded }: Asked): Promise<number> {
  const config = await readCommandConfig('backup', { embedded })
  printDatabase(config)
  const stopping = new AbortController()
  const stop = () => stopping.abort(new RangeError('the verification was stopped: run it again'))
  process.once('SIGTERM', stop).once('SIGINT', stop)
  // Without the log entries of the creation and migration of the scratch database.
  const logLevel = config.logLevel === 'info' ? 'warn' : config.logLevel
  const deployment = await openForBackup(config, { log: commandLogger({ ...config, logLevel }), joins: true })
  try {
    const { applied, current } = await schemaVersion(deployment.pool)
    if (!current) throw new DatabaseStartError(`the database is at version ${applied}: run atelier migrate of this release first`)
    const { storage } = target
    const { name } = await chooseSnapshot(storage, snapshot)
    return await withVerification(deployment.pool, () =>
      verify(deployment, { target, name, dataFolder: config.dataFolder, signal: stopping.signal }),
    )
  } finally {
    await deployment.close()
  }
}

type Verifying = { target: Target; name: string; dataFolder: string; signal: AbortSignal }

async function verify({ pool, databaseUrl, ring, log }: Deployment, { target, name, dataFolder, signal }: Verifying): Promise<number> {
  const startedAt = performance.now()
  const manifest = await readSealedManifest(target.storage, name, { ring, acceptUnsealed: false })
  await requireRestorable(manifest, ring)
  signal.throwIfAborted()
  const scratch = await openScratchDatabase({ pool, databaseUrl, dataFolder, log })
  printLine(`restoring snapshot ${name} into ${scratch.where}`)
  try {
    const request = { target: target.storage, manifest, scratchUrl: scratch.url, log, showProgress: progressReporter() }
    const { rows, objects, faults } = await unlessAborted(signal, () => proveSnapshot(request))
    for (const fault of faults) printLine(`FAULT ${fault}`)
    if (faults.length > 0) {
      printLine(`snapshot ${name} has ${faults.length} faults`)
      return 1
    }
    const seconds = ((performance.now() - startedAt) / 1_000).toFixed(1)
    printLine(`snapshot ${name} is proved: ${rows} rows restored, the books balance, ${objects} objects compared, in ${seconds} s`)
    if (!(await proveBackup({ sql: bindSql(pool) }, name))) printLine('the proof is not recorded: this database did not make the snapshot')
    return 0
  } finally {
    await scratch.drop()
  }
}

/** Rejects when `signal` is aborted, although loading a file may take minutes. The work then fails at its scratch database, which is dropped. */
async function unlessAborted<Result>(signal: AbortSignal, work: () => Promise<Result>): Promise<Result> {
  signal.throwIfAborted()
  const aborted = Promise.withResolvers<never>()
  const abort = () => aborted.reject(signal.reason)
  signal.addEventListener('abort', abort, { once: true })
  try {
    return await Promise.race([work(), aborted.promise])
  } finally {
    signal.removeEventListener('abort', abort)
  }
}

function printLine(line: string): void {
  process.stdout.write(`${line}\n`)
}
