import type { Command, Options } from './command.ts'
import { commands } from './commands.ts'
import { exitCodeMeanings } from './exitCodes.ts'
import { commonOptions } from './options.ts'

/** The help of the program. */
export function programHelp(): string {
  const lines = [
    'Run generations of an Atelier service from a terminal.',
    '',
    'atelier-client <command> …',
    '',
    ...columns(commands.map(({ name, summary }) => [name, summary])),
    '',
    'atelier-client <command> --help shows the options of a command; --version prints the version.',
    'ATELIER_KEY is the API key, ATELIER_URL the address of the service. NO_COLOR turns colours off.',
    '',
    'Exit codes',
    ...columns(exitCodeMeanings.map(([code, meaning]) => [String(code), meaning])),
  ]
  return lines.join('\n')
}

/** The help of a command. */
export function commandHelp({ name, usage, summary, about, options }: Command): string {
  const lines = [
    ...usage.map((rest) => `atelier-client ${name} ${rest}`.trimEnd()),
    '',
    `${summary.charAt(0).toUpperCase()}${summary.slice(1)}.`,
    ...(about === undefined ? [] : ['', about]),
    '',
    ...optionLines({ ...options, ...commonOptions }),
  ]
  return lines.join('\n')
}

function optionLines(options: Options): string[] {
  const rows = Object.entries(options).map(([name, { short, value, multiple, help }]): [string, string] => [
    `${short === undefined ? '    ' : `-${short}, `}--${name}${value === undefined ? '' : ` ${value}`}`,
    `${help}${multiple ? ' (repeatable)' : ''}`,
  ])
  return columns(rows)
}

function columns(rows: readonly (readonly [string, string])[]): string[] {
  const width = Math.max(...rows.map(([first]) => first.length))
  return rows.map(([first, second]) => `  ${first.padEnd(width)}  ${second}`)
}
