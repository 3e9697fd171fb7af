import type { ExitCode } from './exitCodes.ts'
import type { Output } from './output.ts'
import type { ParsedArguments } from './parsedArguments.ts'
import type { World } from './world.ts'

export type Option = {
  type: 'string' | 'boolean'
  short?: string
  /** May be given again and again. */
  multiple?: boolean
  /** What stands for its value in `--help`. */
  value?: string
  help: string
}

export type Options = Readonly<Record<string, Option>>

/** One run of a command. */
export type Invocation = { given: ParsedArguments; output: Output; world: World }

/** A row of the table from which the command line is read and `--help` is made. */
export type Command = {
  name: string
  /** What follows the name, one way a row: `<family> [prompt]`. */
  usage: readonly string[]
  /** In the list of commands, in one line. */
  summary: string
  /** In its own help. */
  about?: string
  options: Options
  /** Ends with 0 unless it says something else. Throws what the client throws, and a UsageError. */
  run(invocation: Invocation): Promise<ExitCode | void>
}
