import type pg from 'pg'
import { DatabaseStartError } from '../databaseStartError.ts'
import { livenessLimits } from '../liveness/livenessLimits.ts'
import type { Log } from '../log.ts'
import { connectMigrator } from './connectMigrator.ts'
import { appliedMigrations } from './migrate.ts'
import { migrationsFolder, pendingMigrations, readMigrationFiles } from './migrationFiles.ts'
import { planMigration } from './migrationPlan.ts'

/**
 * Refuses a migration that would break running processes of an earlier release: throws {@link DatabaseStartError} with what they would
 * miss. A database without running processes, and one without pending migrations, passes. Call it before the migration.
 * Contract: docs/contract.md#migrate.
 */
export async function requireRollingUpgrade(url: string, { log, folder = migrationsFolder }: { log: Log; folder?: string }): Promise<void> {
  const client = await connectMigrator(url, log)
  try {
    const applied = await appliedMigrations(client)
    if (applied.length === 0 || pendingMigrations(await readMigrationFiles(folder), applied).length === 0) return
    const processes = await runningProcesses(client)
    if (processes === 0) return
    const { missed, running } = await planMigration(client, folder)
    if (missed.length === 0) return
    const who = `${processes} running ${processes === 1 ? 'process' : 'processes'}${running ? ` of ${running.version}` : ''}`
    throw new DatabaseStartError(
      `${who} would fail after this migration, because it ${missed.join(' and ')}: stop them first, or run \`atelier migrate --allow-downtime\``,
    )
  } finally {
    await client.end()
  }
}

async function runningProcesses(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ exists: boolean }>(`select to_regclass('processes') is not null as exists`)
  if (!rows[0]?.exists) return 0
  const { rows: counted } = await client.query<{ processes: number }>(
    'select count(*)::integer as processes from processes where heartbeat_at > now() - make_interval(secs => $1)',
    [livenessLimits.stoppedTimeoutSeconds],
  )
  return counted[0]?.processes ?? 0
}
