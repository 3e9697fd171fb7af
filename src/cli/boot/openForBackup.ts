import { loadOrCreateSecretKey } from '../../config/loadOrCreateSecretKey.ts'
import type { Config } from '../../config/readConfig.ts'
import { DatabaseStartError } from '../../database/databaseStartError.ts'
import type { Log } from '../../database/log.ts'
import { reasonOf } from '../../database/migrations/connectMigrator.ts'
import { openPool } from '../../database/pool/pool.ts'
import { type KeyRing, makeKeyRing } from '../../secrets/keyRing.ts'
import type { Storage } from '../../storage/storage.ts'
import { databaseUrlsOf } from './openDatabase.ts'
import { openDataFolder } from './openDataFolder.ts'
import { storageOf } from './openServices.ts'

export type Deployment = {
  databaseUrl: string
  pool: ReturnType<typeof openPool>
  storage: Storage
  ring: KeyRing
  log: Log
  close(): Promise<void>
}

const queryTimeoutMilliseconds = 600_000

/**
 * Opens the database and the storage of a deployment, without migrating. `joins`: uses an embedded database that a service runs already.
 * Throws with one line if the database cannot be reached.
 */
export async function openForBackup(config: Config, { log, joins }: { log: Log; joins: boolean }): Promise<Deployment> {
  const closers: (() => unknown)[] = []
  const close = async () => {
    for (const closer of closers.toReversed()) await closer()
  }
  try {
    await openDataFolder(config.dataFolder, log)
    const { direct: databaseUrl } = await databaseUrlsOf(config, { log, join: joins, direct: true }, closers)
    const ring = makeKeyRing([...(config.secretKeys ?? (await loadOrCreateSecretKey(config.secretKeyFile)))])
    const pool = openPool(databaseUrl, { max: 2, log, queryTimeoutMilliseconds })
    closers.push(() => pool.end())
    await pool.query('select').catch((cause: unknown) => {
      throw new DatabaseStartError(`the database cannot be reached: ${reasonOf(cause)}`, { cause })
    })
    const storage = await storageOf(config)
    closers.push(() => storage.close())
    return { databaseUrl, pool, storage, ring, log, close }
  } catch (error) {
    await close()
    throw error
  }
}
