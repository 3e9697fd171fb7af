import { parseArgs } from 'node:util'
import { checkBackup } from '../../backup/checkBackup.ts'
import { chooseSnapshot } from '../../backup/chooseSnapshot.ts'
import { makeBackup } from '../../backup/makeBackup.ts'
import { openTarget, type Target } from '../../backup/target.ts'
import { DatabaseStartError } from '../../database/databaseStartError.ts'
import { schemaVersion } from '../../database/migrations/migrate.ts'
import { commandLogger } from '../boot/logger.ts'
import { openForBackup } from '../boot/openForBackup.ts'
import { embeddedOption, printDatabase, readCommandConfig } from '../boot/readCommandConfig.ts'
import { progressReporter } from '../progress.ts'
import { version } from '../version.ts'
import { verifyBackup } from './verifyBackup.ts'

export const backupUsage = `atelier backup --to <folder or s3://bucket/prefix?…> [--keep <number>] [--take-over] [--embedded]
atelier backup --to <…> --check [--snapshot <name>]
atelier backup --to <…> --verify [--snapshot <name>] [--embedded]

Backs up database and objects at one moment, while the service runs. Objects that the target has are not copied again. If a backup is
interrupted, run it again. --keep keeps only the newest snapshots, this many, and removes objects that no other snapshot has.
--take-over continues in a target whose backups are of a database that is gone. --check reads a whole snapshot and compares checksums.
--verify restores the rows of a snapshot, by default the newest, into a scratch database, recounts the books there, and records the proof.
Needs DATABASE_URL, or --embedded for the embedded database in DATA_DIR; --check needs neither. See docs/recovery.md.
`

/** `atelier backup`: returns 0 when the backup is complete, 2 for wrong arguments. Throws a RangeError with one line if it fails. */
export async function backup(args: string[]): Promise<number> {
  const asked = readArguments(args)
  if (!asked) {
    process.stderr.write(backupUsage)
    return 2
  }
  const target = await openTarget(asked.to)
  try {
    if (asked.check) return await check(target, asked.snapshot)
    return asked.verify ? await verifyBackup(target, asked) : await make(target, asked)
  } finally {
    await target.storage.close()
  }
}

function readArguments(args: string[]): BackupArguments | undefined {
  const flag = { type: 'boolean', default: false } as const
  const options = {
    to: { type: 'string' },
    keep: { type: 'string' },
    check: flag,
    verify: flag,
    'take-over': flag,
    snapshot: { type: 'string' },
    ...embeddedOption,
  } as const
  try {
    const { to = '', keep, 'take-over': takesOver, ...others } = parseArgs({ args, options }).values
    const asked = { ...others, to, takesOver, snapshot: others.snapshot, keep: keep === undefined ? undefined : Number(keep) }
    return to !== '' && (keep === undefined || /^[1-9]\d{0,5}$/.test(keep)) && isConsistent(asked) ? asked : undefined
  } catch {
    return undefined
  }
}

type BackupArguments = {
  to: string
  check: boolean
  verify: boolean
  snapshot: string | undefined
  takesOver: boolean
  embedded: boolean
  keep: number | undefined
}

/** `--check` and `--verify` read a snapshot; the other options make one. `--check` needs no database. */
function isConsistent({ check, verify, snapshot, takesOver, embedded, keep }: BackupArguments): boolean {
  if (!check && !verify) return snapshot === undefined
  return !(check && verify) && !takesOver && keep === undefined && !(check && embedded)
}

type Making = { keep: number | undefined; takesOver: boolean; embedded: boolean }

async function make(target: Target, { keep, takesOver, embedded }: Making): Promise<number> {
  const config = await readCommandConfig('backup', { embedded })
  printDatabase(config)
  const stopping = new AbortController()
  const stop = () => stopping.abort(new RangeError('the backup was stopped: run it again to continue it'))
  process.once('SIGTERM', stop).once('SIGINT', stop)
  const deployment = await openForBackup(config, { log: commandLogger(config), joins: true })
  try {
    if ((await schemaVersion(deployment.pool)).applied === 0)
      throw new DatabaseStartError('the database has no tables of Atelier: there is nothing to back up')
    const { name, seconds, tables, objects } = await makeBackup(deployment, {
      target,
      release: version,
      keep,
      takesOver,
      signal: stopping.signal,
      showProgress: progressReporter(),
    })
    const rows = tables.reduce((sum, table) => sum + table.rows, 0)
    printLine(`snapshot ${name} is whole: ${rows} rows, ${objects.count} objects of ${objects.bytes} bytes, in ${seconds} s`)
    printLine(`copied now: ${objects.copied} objects of ${objects.copiedBytes} bytes`)
    for (const { key, why } of objects.missing) printLine(`missing: ${key} (${why})`)
    if (objects.missingCount > objects.missing.length) printLine(`missing: ${objects.missingCount} in all`)
    return 0
  } finally {
    await deployment.close()
  }
}

async function check({ storage }: Target, snapshot: string | undefined): Promise<number> {
  const manifest = await chooseSnapshot(storage, snapshot)
  const { count, named } = await checkBackup(storage, manifest)
  for (const fault of named) printLine(`FAULT ${fault}`)
  printLine(count === 0 ? `snapshot ${manifest.name} is sound` : `snapshot ${manifest.name} has ${count} faults`)
  return count === 0 ? 0 : 1
}

function printLine(line: string): void {
  process.stdout.write(`${line}\n`)
}
