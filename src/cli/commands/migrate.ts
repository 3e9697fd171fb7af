import { readConfig } from '../../config/readConfig.ts'
import { joinEmbeddedPostgres } from '../../database/embedded/embeddedPostgres.ts'
import { migrateDatabase } from '../../database/migrations/migrate.ts'
import { vendors } from '../../providers/vendors.ts'
import { commandLogger } from '../boot/logger.ts'
import { openDataFolder } from '../boot/openDataFolder.ts'

/** Migrates the database and ends. */
export async function migrate(): Promise<number> {
  const config = readConfig(process.env, { command: 'migrate', vendors })
  const log = commandLogger(config)
  if (config.database.kind === 'external') {
    await migrateDatabase(config.database.directUrl ?? config.database.url, { log })
    return 0
  }
  await openDataFolder(config.dataFolder, log)
  const embedded = await joinEmbeddedPostgres({ folder: config.database.folder, log })
  try {
    await migrateDatabase(embedded.url, { log })
  } finally {
    await embedded.stop()
  }
  return 0
}
