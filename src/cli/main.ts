import { parseArgs } from 'node:util'
import { ConfigError } from '../config/configError.ts'
import { DatabaseStartError } from '../database/databaseStartError.ts'
import { endWithLauncher } from './boot/endWithLauncher.ts'

type Subcommand = { summary: string; run(): Promise<number> }

/** Each command imports its modules when it runs. */
const subcommands: Record<string, Subcommand> = {
  start: {
    summary: 'Runs everything in one process, with an embedded database unless DATABASE_URL is set.',
    run: async () => (await import('./commands/serve.ts')).start(),
  },
  serve: { summary: 'Serves HTTP only. Needs DATABASE_URL.', run: async () => (await import('./commands/serve.ts')).serve() },
  work: { summary: 'Runs jobs only. Needs DATABASE_URL.', run: async () => (await import('./commands/serve.ts')).work() },
  demo: {
    summary: 'Prints a new key and password of the demo team, also while the service runs. Needs the embedded database.',
    run: async () => (await import('./commands/demo.ts')).demo(),
  },
  migrate: {
    summary:
      'Migrates the database and ends; with --check prints what that would do, and changes nothing; with --allow-downtime also if running processes would fail.',
    run: async () => (await import('./commands/migrate.ts')).migrate({ allowDowntime: false }),
  },
  openapi: {
    summary: 'Prints the OpenAPI document of the public interface.',
    run: async () => (await import('./commands/openapi.ts')).openapi(),
  },
  schema: {
    summary: 'Prints the GraphQL schema of the internal interface.',
    run: async () => (await import('./commands/schema.ts')).schema(),
  },
  health: {
    summary: 'Checks whether the process with these settings answers; exits with 1 if not.',
    run: async () => (await import('./commands/health.ts')).health(),
  },
}

const usage = `atelier <command>

${Object.entries(subcommands)
  .map(([name, { summary }]) => `  ${name.padEnd(9)}${summary}`)
  .join('\n')}
  doctor   Checks configuration, database, storage, catalog, vendors and the books; see its --help.
  backup   Backs up database and objects while the service runs; see its --help.
  restore  Restores a backup into an empty database and storage; see its --help.
  export   Exports all data of a team into a folder; see its --help.

Everything is set by environment variables; see docs/operations.md.
`

type WithArguments = { usage: string; run(args: string[]): Promise<number> }

/** Commands with arguments, by the words before the arguments. */
const withArguments: Record<string, () => Promise<WithArguments>> = {
  backup: async () => import('./commands/backup.ts').then(({ backupUsage: usage, backup: run }) => ({ usage, run })),
  restore: async () => import('./commands/restore.ts').then(({ restoreUsage: usage, restore: run }) => ({ usage, run })),
  export: async () => import('./export/exportCommand.ts').then(({ exportUsage: usage, exportCommand: run }) => ({ usage, run })),
  doctor: async () => import('./doctor/doctor.ts').then(({ doctorUsage: usage, doctor: run }) => ({ usage, run })),
  'doctor costs': async () => import('./doctor/doctorCosts.ts').then(({ costsUsage: usage, doctorCosts: run }) => ({ usage, run })),
  'doctor objects': async () => import('./doctor/doctorObjects.ts').then(({ objectsUsage: usage, doctorObjects: run }) => ({ usage, run })),
}

async function main(): Promise<number> {
  const { values, positionals } = parseArgs({ allowPositionals: true, strict: false, options: { help: { type: 'boolean', short: 'h' } } })
  const [name = '', ...rest] = positionals
  const words = [`${name} ${rest[0]}`, name].find((each) => Object.hasOwn(withArguments, each))
  const load = words === undefined ? undefined : withArguments[words]
  if (words !== undefined && load) {
    const { usage: commandUsage, run } = await load()
    return values['help'] === true ? print(commandUsage) : run(argumentsWithout(words.split(' ')))
  }
  const subcommand = Object.hasOwn(subcommands, name) ? subcommands[name] : undefined
  if (values['help'] === true && (subcommand || name === ''))
    return print(subcommand ? `atelier ${name}\n\n${subcommand.summary}\n` : usage)
  if (!subcommand || rest.length > 0 || Object.keys(values).length > 0) {
    process.stderr.write(usage)
    return 2
  }
  return subcommand.run()
}

/** The arguments of a command: options may stand between its words. */
function argumentsWithout(words: string[]): string[] {
  const given = process.argv.slice(2)
  for (const word of words) given.splice(given.indexOf(word), 1)
  return given
}

/** The options of `migrate`, the only ones of a command without arguments. */
const migrateOptions: Record<string, () => Promise<number>> = {
  '--check': async () => (await import('./commands/checkMigration.ts')).checkMigration(),
  '--allow-downtime': async () => (await import('./commands/migrate.ts')).migrate({ allowDowntime: true }),
}

/** The run of `migrate` with an option, if that is the whole command. */
function migrateOptionOf([command, option = '', ...more]: string[]): (() => Promise<number>) | undefined {
  return command === 'migrate' && more.length === 0 && Object.hasOwn(migrateOptions, option) ? migrateOptions[option] : undefined
}

function print(text: string): number {
  process.stdout.write(text)
  return 0
}

/** Returns a message for an expected reason; any other error is a bug and keeps its stack. */
function messageOf(error: unknown): string {
  if (error instanceof ConfigError || error instanceof DatabaseStartError || error instanceof RangeError) return error.message
  if (error instanceof Error && error.name === 'CatalogError') return `CATALOG_PATH must be a folder of family files: ${error.message}`
  const { code = '', message } = error as NodeJS.ErrnoException
  if (code === 'EADDRINUSE') return `PORT must be a free port: ${message}`
  if (['ENOTFOUND', 'EADDRNOTAVAIL', 'EAI_AGAIN'].includes(code)) return `HOST must be an address of this machine: ${message}`
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}

// Files contain keys, prompts and media: only the account of this process may read them.
process.umask(0o077)

endWithLauncher()

// A reader such as `head` may close the pipe early.
process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1))

try {
  process.exitCode = await (migrateOptionOf(process.argv.slice(2)) ?? main)()
} catch (error) {
  process.stderr.write(`atelier: ${messageOf(error)}\n`)
  process.exitCode = 1
}
