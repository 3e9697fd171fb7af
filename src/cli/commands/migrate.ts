import { readConfig } from '../../config/readConfig.ts'
import { joinEmbeddedPostgres } from '../../database/embedded/embeddedPostgres.ts'
import { migrateDatabase } from '../../database/migrations/migrate.ts'
import { requireRollingUpgrade } from '../../database/migrations/requireRollingUpgrade.ts'
import { vendors } from '../../providers/vendors.ts'
import { commandLogger } from '../boot/logger.ts'
import { openDataFolder } from '../boot/openDataFolder.ts'
import { beginStep } from '../progress.ts'

/** Migrates the database and ends. `allowDowntime`: also if running processes of an earlier release would fail. */
export async function migrate({ allowDowntime }: { allowDowntime: boolean }): Promise<number> {
  const config = readConfig(process.env, { command: 'migrate', vendors })
  const log = commandLogger(config)
  const shown = process.stderr.isTTY ? beginStep : undefined
  if (config.database.kind === 'external') {
    const url = config.database.directUrl ?? config.database.url
    if (!allowDowntime) await requireRollingUpgrade(url, { log })
    await migrateDatabase(url, { log, beginStep: shown })
    return 0
  }
  await openDataFolder(config.dataFolder, log)
  const embedded = await joinEmbeddedPostgres({ folder: config.database.folder, log })
  try {
    if (!allowDowntime) await requireRollingUpgrade(embedded.url, { log })
    await migrateDatabase(embedded.url, { log, beginStep: shown })
  } finally {
    await embedded.stop()
  }
  return 0
}
