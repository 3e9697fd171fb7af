import { readConfig } from '../../config/readConfig.ts'
import { joinEmbeddedPostgres } from '../../database/embedded/embeddedPostgres.ts'
import { type MigrationPlan, type PlannedMigration, readMigrationPlan } from '../../database/migrations/migrationPlan.ts'
import { vendors } from '../../providers/vendors.ts'
import { commandLogger } from '../boot/logger.ts'
import { openDataFolder } from '../boot/openDataFolder.ts'
import { version } from '../version.ts'

/** Prints what a start of this release would do to the database, without changes. Returns 0, or 3 if older processes must stop first. */
export async function checkMigration(): Promise<number> {
  const config = readConfig(process.env, { command: 'migrate', vendors })
  if (config.database.kind === 'external') return check(config.database.directUrl ?? config.database.url)
  const log = commandLogger(config)
  await openDataFolder(config.dataFolder, log)
  const embedded = await joinEmbeddedPostgres({ folder: config.database.folder, log })
  try {
    return await check(embedded.url)
  } finally {
    await embedded.stop()
  }
}

async function check(url: string): Promise<number> {
  const plan = await readMigrationPlan(url)
  process.stdout.write(`${linesOf(plan).join('\n')}\n`)
  return plan.missed.length === 0 ? 0 : 3
}

/** Formats the plan as lines of text. */
export function linesOf({ applied, needed, running, migrations, functions, missed, sizes }: MigrationPlan): string[] {
  if (migrations.length === 0 && functions.length === 0) return [`nothing to do: the database is at ${applied}, this release is ${version}`]
  const from = applied === 0 ? 'is empty' : `is at ${applied} (${running ? `release ${running.version}` : 'no release ends there'})`
  const head = `The database ${from}; ${version} brings it to ${needed}.`
  if (applied === 0) return [head, `${migrations.length} migrations, ${functions.length} functions.`]
  const who = running ? `Processes of ${running.version}` : 'Running processes'
  const verdict =
    missed.length === 0 ? [`${who} go on: yes`] : [`${who} go on: no, stop them first`, ...missed.map((what) => `  the release ${what}`)]
  const listed = migrations.flatMap((migration) => ['', ...linesOfOne(migration, sizes)])
  const changed = functions.length === 0 ? 'no functions change' : `functions that change: ${functions.join(', ')}`
  return [head, ...listed, '', changed, ...verdict]
}

function linesOfOne({ name, outside, effects }: PlannedMigration, sizes: MigrationPlan['sizes']): string[] {
  const head = outside ? `${name}, outside a transaction` : name
  return [
    head,
    ...effects.map(({ words, locks, reads }) => {
      const held = locks.map(({ table, mode }) => `${mode} on ${table}${sizeOf(sizes.get(table))}`)
      if (held.length === 0) return `  ${words}`
      return `  ${words}: ${held.join(', ')}${reads ? ', while all rows are read' : ', for a moment'}`
    }),
  ]
}

function sizeOf(size: { rows: number; bytes: number } | undefined): string {
  if (!size) return ''
  return ` (about ${Math.round(size.rows).toLocaleString('en')} rows, ${(size.bytes / 2 ** 20).toFixed(1)} MiB)`
}
