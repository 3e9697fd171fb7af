import { access } from 'node:fs/promises'
import { join } from 'node:path'
import { type Command, type Config, type DatabaseConfig, readConfig } from '../../config/readConfig.ts'
import { DatabaseStartError } from '../../database/databaseStartError.ts'
import { serverOf } from '../../database/pool/serverOf.ts'
import { vendors } from '../../providers/vendors.ts'

/** The option of commands that work on the embedded database. Without it they need DATABASE_URL. */
export const embeddedOption = { embedded: { type: 'boolean', default: false } } as const

/** `creates`: the command may create the embedded database. */
type Asked = { embedded: boolean; creates?: boolean }

/**
 * Reads the settings of a command that works on the database of a deployment. Without `embedded` it needs DATABASE_URL; with it, the
 * embedded database must exist unless `creates`. Throws ConfigError or DatabaseStartError with one line.
 * Contract: docs/contract.md#command-line.
 */
export async function readCommandConfig(command: Command, { embedded, creates = false }: Asked): Promise<Config> {
  const config = readConfig(process.env, { command, vendors, embedded })
  if (config.database.kind === 'embedded' && !creates) await requireCluster(config.database.folder)
  return config
}

/** Returns where the database of a command is, without user and password. Commands bypass a pooler. */
export function databasePlace(config: DatabaseConfig): { host: string; database: string } {
  if (config.kind === 'embedded') return { host: 'embedded', database: config.folder }
  return serverOf(config.directUrl ?? config.url)
}

/** Prints which database a command works on. */
export function printDatabase({ database: config }: Pick<Config, 'database'>): void {
  const { host, database } = databasePlace(config)
  process.stdout.write(config.kind === 'embedded' ? `embedded database in ${database}\n` : `database ${database} at ${host}\n`)
}

/** Throws {@link DatabaseStartError} if `folder` has no embedded database, so that a command creates none and reports on it. */
async function requireCluster(folder: string): Promise<void> {
  const cluster = join(folder, 'cluster')
  try {
    await access(join(cluster, 'PG_VERSION'))
  } catch (cause) {
    const { code = '' } = cause as NodeJS.ErrnoException
    const why = ['ENOENT', 'ENOTDIR'].includes(code) ? 'does not exist' : `cannot be read (${code})`
    throw new DatabaseStartError(`DATA_DIR has no embedded database: ${cluster} ${why}`, { cause })
  }
}
