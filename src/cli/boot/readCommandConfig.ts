import { type Command, type Config, type DatabaseConfig, readConfig } from '../../config/readConfig.ts'
import { requireCluster } from '../../database/embedded/requireCluster.ts'
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
