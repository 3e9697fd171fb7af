import { parseArgs } from 'node:util'
import { ConfigError } from '../config/configError.ts'
import { DatabaseStartError } from '../database/databaseStartError.ts'

type Subcommand = { says: string; run(): Promise<number> }

/** Each loads what it needs. */
const subcommands: Record<string, Subcommand> = {
  start: {
    says: 'Runs everything in one process; on a database of its own unless DATABASE_URL is set.',
    run: async () => (await import('./serve.ts')).start(),
  },
  serve: { says: 'Serves HTTP only. Needs DATABASE_URL.', run: async () => (await import('./serve.ts')).serve() },
  work: { says: 'Runs jobs only. Needs DATABASE_URL.', run: async () => (await import('./serve.ts')).work() },
  migrate: { says: 'Brings the database up to date and ends.', run: async () => (await import('./migrate.ts')).migrate() },
  openapi: { says: 'Prints the OpenAPI document of the public interface.', run: async () => (await import('./openapi.ts')).openapi() },
  schema: { says: 'Prints the GraphQL schema of the internal interface.', run: async () => (await import('./schema.ts')).schema() },
  doctor: {
    says: 'Checks configuration, database, storage, catalog, vendors and the books; exits with 1 on a fault. See also doctor costs.',
    run: async () => (await import('./doctor.ts')).doctor(),
  },
  health: {
    says: 'Asks the process with these settings whether it is alive; exits with 1 if not.',
    run: async () => (await import('./health.ts')).health(),
  },
}

const usage = `atelier <command>

${Object.entries(subcommands)
  .map(([name, { says }]) => `  ${name.padEnd(9)}${says}`)
  .join('\n')}

Everything is set by environment variables; see docs/operations.md.
`

async function main(): Promise<number> {
  const { values, positionals } = parseArgs({ allowPositionals: true, strict: false, options: { help: { type: 'boolean', short: 'h' } } })
  const [name = '', ...rest] = positionals
  if (name === 'doctor' && rest[0] === 'costs') return await costs(values['help'] === true)
  const subcommand = Object.hasOwn(subcommands, name) ? subcommands[name] : undefined
  if (values['help'] === true && (subcommand || name === '')) return print(subcommand ? `atelier ${name}\n\n${subcommand.says}\n` : usage)
  if (!subcommand || rest.length > 0 || Object.keys(values).length > 0) {
    process.stderr.write(usage)
    return 2
  }
  return subcommand.run()
}

async function costs(isHelp: boolean): Promise<number> {
  const { costsUsage, doctorCosts } = await import('./doctorCosts.ts')
  return isHelp ? print(costsUsage) : doctorCosts(process.argv.slice(process.argv.indexOf('costs') + 1))
}

function print(text: string): number {
  process.stdout.write(text)
  return 0
}

/** What stops a start in words of its own; anything else is a bug and shows where it comes from. */
function wordsOf(error: unknown): string {
  if (error instanceof ConfigError || error instanceof DatabaseStartError) return error.message
  if (error instanceof Error && error.name === 'CatalogError') return `CATALOG_PATH takes a folder of family files: ${error.message}`
  const { code = '', message } = error as NodeJS.ErrnoException
  if (code === 'EADDRINUSE') return `PORT takes a port that is free: ${message}`
  if (['ENOTFOUND', 'EADDRNOTAVAIL', 'EAI_AGAIN'].includes(code)) return `HOST takes an address of this machine: ${message}`
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}

// Keys, prompts and media: what we write is for our account alone.
process.umask(0o077)

// Whoever reads from us may have read enough.
process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1))

try {
  process.exitCode = await main()
} catch (error) {
  process.stderr.write(`atelier: ${wordsOf(error)}\n`)
  process.exitCode = 1
}
