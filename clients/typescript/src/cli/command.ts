import type { CommandContext } from './commandContext.ts'
import type { ExitCode } from './exitCodes.ts'
import type { Output } from './output.ts'
import type { ParsedArguments } from './parsedArguments.ts'

export type Option = {
  type: 'string' | 'boolean'
  short?: string
  /** May be given several times. */
  multiple?: boolean
  /** The placeholder of its value in `--help`. */
  value?: string
  help: string
}

export type Options = Readonly<Record<string, Option>>

/** One run of a command. */
export type Invocation = { given: ParsedArguments; output: Output; context: CommandContext }

/** A command: how its command line is parsed, and its help. */
export type Command = {
  name: string
  /** The arguments after the name, one form per row: `<family> [prompt]`. */
  usage: readonly string[]
  /** One line in the list of commands. */
  summary: string
  /** More text in its own help. */
  about?: string
  options: Options
  /** The exit code is 0 unless returned. Throws errors of the client, and UsageError. */
  run(invocation: Invocation): Promise<ExitCode | void>
}
