import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { isId } from '../../contract/ids.ts'
import { Refusal } from '../../contract/refusals/refusals.ts'
import { contextFor } from '../../domain/context.ts'
import { openForCommand } from '../boot/openForCommand.ts'
import { embeddedOption, printDatabase, readCommandConfig } from '../boot/readCommandConfig.ts'
import { progressReporter } from '../progress.ts'
import { exportTeam } from './exportTeam.ts'

export const exportUsage = `atelier export --team <team_…> --to <folder> [--embedded]

Exports all data of a team into a folder, while the service runs: a file of JSON Lines for each kind, results and files below media/, and
manifest.json last. It contains no key value and no secret. If an export is interrupted, run it again; existing media are not fetched again.
Exits with 0 if it is complete, 3 if only objects that the storage has lost are missing, 1 on a fault, 2 for wrong arguments.
Needs DATABASE_URL, or --embedded for the embedded database in DATA_DIR.
`

/** `atelier export`: returns the exit code. Throws a RangeError with one line for an unknown team or a folder with other content. */
export async function exportCommand(args: string[]): Promise<number> {
  const asked = readArguments(args)
  if (!asked) {
    process.stderr.write(exportUsage)
    return 2
  }
  const config = await readCommandConfig('export', asked)
  printDatabase(config)
  const { services, close } = await openForCommand(config)
  try {
    const { files, media } = await exportTeam(contextFor(services, { kind: 'system' }), { ...asked, showProgress: progressReporter() })
    for (const { name, lines } of files) printLine(`${name}: ${lines} lines`)
    printLine(`media: ${media.count} objects of ${media.sizeBytes} bytes`)
    for (const { path, lost } of media.lost) printLine(`lost: ${path} (${lost})`)
    if (media.lostCount > media.lost.length) printLine(`lost: ${media.lostCount} in all, named in media.jsonl`)
    return media.lostCount === 0 ? 0 : 3
  } catch (error) {
    if (error instanceof Refusal && error.code === 'invalid_request') throw new RangeError(`there is no team ${asked.teamId}`)
    throw error
  } finally {
    await close()
  }
}

function readArguments(args: string[]): { teamId: string; folder: string; embedded: boolean } | undefined {
  try {
    const options = { team: { type: 'string' }, to: { type: 'string' }, ...embeddedOption } as const
    const { team = '', to = '', embedded } = parseArgs({ args, options }).values
    return isId('team', team) && to !== '' ? { teamId: team, folder: resolve(to), embedded } : undefined
  } catch {
    return undefined
  }
}

function printLine(line: string): void {
  process.stdout.write(`${line}\n`)
}
