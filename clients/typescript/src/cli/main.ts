import { AtelierError } from '../errors/atelierError.ts'
import type { Command } from './command.ts'
import type { CommandContext } from './commandContext.ts'
import { readCommandLine } from './commandLine.ts'
import { commands } from './commands.ts'
import { describeError, refusalJson } from './describeError.ts'
import { type ExitCode, exitCodeOf, exitCodes } from './exitCodes.ts'
import { commandHelp, programHelp } from './help.ts'
import { nearest } from './nearest.ts'
import { outputOf } from './output.ts'
import { packageManifest } from './packageManifest.ts'
import { UsageError } from './usageError.ts'

/** Runs one command line and returns its exit code. Never throws for errors of the caller or the service. */
export async function main(argv: readonly string[], context: CommandContext): Promise<ExitCode> {
  const [name, ...rest] = argv
  const isJson = rest.includes('--json')
  const output = outputOf(context, { json: isJson, quiet: false })
  try {
    if (name === undefined || name === '--help' || name === '-h' || name === 'help')
      return await showHelp(context, name === undefined, rest[0])
    if (name === '--version') return print(context, (await packageManifest()).version)
    return await runCommand(commandNamed(name), rest, context)
  } catch (error) {
    if (context.interrupted.aborted) return exitCodes.interrupted
    const lines = isJson && error instanceof AtelierError ? [refusalJson(error)] : describeError(error)
    for (const line of lines) output.warn(line)
    if (error instanceof UsageError)
      output.warn(`atelier-client ${commands.some((command) => command.name === name) ? `${name} ` : ''}--help shows the options.`)
    return exitCodeOf(error)
  }
}

async function runCommand(command: Command, argv: readonly string[], context: CommandContext): Promise<ExitCode> {
  const options = argv.slice(0, argv.includes('--') ? argv.indexOf('--') : argv.length)
  if (options.includes('--help') || options.includes('-h')) return print(context, commandHelp(command))
  const given = readCommandLine(command, argv)
  const output = outputOf(context, { json: given.flag('json'), quiet: given.flag('quiet') })
  return (await command.run({ given, output, context })) ?? exitCodes.ok
}

function commandNamed(name: string): Command {
  const found = commands.find((command) => command.name === name)
  if (found) return found
  const suggestion =
    (Object.hasOwn(otherWords, name) ? otherWords[name] : undefined) ??
    nearest(
      name,
      commands.map((command) => command.name),
    )
  throw new UsageError(`There is no command ${name}.${suggestion === undefined ? '' : ` Did you mean ${suggestion}?`}`)
}

/** Words that people type for a command with another name. */
const otherWords: Record<string, string> = {
  list: 'families or history',
  ls: 'families or history',
  models: 'families',
  catalog: 'families',
  price: 'estimate',
  cost: 'estimate',
  start: 'run',
  create: 'run',
  generate: 'run',
  show: 'get',
  status: 'get',
  download: 'get',
  generations: 'history',
  stop: 'cancel',
  credits: 'account',
  whoami: 'account',
  remove: 'delete',
}

async function showHelp(context: CommandContext, isMissingCommand: boolean, about: string | undefined): Promise<ExitCode> {
  if (!isMissingCommand) return print(context, about === undefined ? programHelp() : commandHelp(commandNamed(about)))
  context.stderr.write(`${programHelp()}\n`)
  return exitCodes.usage
}

function print(context: CommandContext, text: string): ExitCode {
  context.stdout.write(`${text}\n`)
  return exitCodes.ok
}
