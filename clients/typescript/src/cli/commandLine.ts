import { parseArgs } from 'node:util'
import type { Command, Options } from './command.ts'
import { nearest } from './nearest.ts'
import { commonOptions } from './options.ts'
import { type ArgumentToken, type ParsedArguments, parsedArgumentsOf } from './parsedArguments.ts'
import { UsageError } from './usageError.ts'

/** Parses the arguments of a command. Throws UsageError, with the nearest option for an unknown one. */
export function readCommandLine(command: Command, argv: readonly string[]): ParsedArguments {
  const options: Options = { ...command.options, ...commonOptions }
  try {
    const config = { args: [...argv], options: parseable(options), allowPositionals: true, strict: true, tokens: true } as const
    const { values, positionals, tokens } = parseArgs(config)
    const given = tokens.flatMap((token): ArgumentToken[] => {
      if (token.kind === 'option') return [{ option: token.name, value: token.value }]
      return token.kind === 'positional' ? [{ option: undefined, value: token.value }] : []
    })
    return parsedArgumentsOf(values, positionals, given)
  } catch (error) {
    throw new UsageError(messageOf(error, options), { cause: error })
  }
}

/** The options in the format of `parseArgs`. */
function parseable(options: Options) {
  const read = ({ type, short, multiple = false }: Options[string]) => ({ type, multiple, ...(short === undefined ? {} : { short }) })
  return Object.fromEntries(Object.entries(options).map(([name, option]) => [name, read(option)]))
}

function messageOf(error: unknown, options: Options): string {
  const { code, message } = error as { code?: string; message: string }
  if (code !== 'ERR_PARSE_ARGS_UNKNOWN_OPTION') return message
  const [, name = ''] = /'(-[^']*)'/.exec(message) ?? []
  const suggestion = nearest(name.replace(/^-+/, ''), Object.keys(options))
  return `There is no option ${name}.${suggestion === undefined ? '' : ` Did you mean --${suggestion}?`} Put a text that begins with - after --.`
}
