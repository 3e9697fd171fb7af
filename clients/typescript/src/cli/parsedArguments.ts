import { durationSeconds } from './duration.ts'
import { UsageError } from './usageError.ts'

export type Values = Readonly<Record<string, string | boolean | (string | boolean)[] | undefined>>

/** The parsed command line. Its functions throw UsageError. */
export type ParsedArguments = {
  /** In the order typed, without the command name. */
  tokens: readonly ArgumentToken[]
  arguments: readonly string[]
  flag(option: string): boolean
  text(option: string): string | undefined
  texts(option: string): string[]
  choice<Choice extends string>(option: string, choices: readonly Choice[]): Choice | undefined
  number(option: string, limits: { min: number; max: number; whole?: boolean }): number | undefined
  /** `90`, `90s`, `15m`, `2h`, `1d`. */
  seconds(option: string): number | undefined
  /** All `name=value` pairs of the option. */
  pairs(option: string): [string, string][]
  /** Requires exactly these arguments; the names are for error messages. */
  named(...names: string[]): string[]
}

/** An option or argument of the command line. */
export type ArgumentToken = { option: string | undefined; value: string | undefined }

export function parsedArgumentsOf(values: Values, args: readonly string[], tokens: readonly ArgumentToken[]): ParsedArguments {
  const text = (option: string) => {
    const value = values[option]
    if (value === '') throw new UsageError(`--${option} takes a value that is not empty.`)
    return typeof value === 'string' ? value : undefined
  }
  const texts = (option: string) => [values[option] ?? []].flat().filter((value) => typeof value === 'string')
  return {
    tokens,
    arguments: args,
    flag: (option) => values[option] === true,
    text,
    texts,
    choice: (option, choices) => {
      const value = text(option)
      const choice = choices.find((each) => each === value)
      if (value !== undefined && choice === undefined) throw new UsageError(`--${option} takes ${choices.join(', ')}.`)
      return choice
    },
    number: (option, limits) => {
      const value = text(option)
      return value === undefined ? undefined : numberOf(option, value, limits)
    },
    seconds: (option) => {
      const value = text(option)
      const seconds = value === undefined ? undefined : durationSeconds(value)
      if (value !== undefined && seconds === undefined) throw new UsageError(`--${option} takes a time such as 90, 90s, 15m or 2h.`)
      return seconds
    },
    pairs: (option) => texts(option).map((value) => pairOf(option, value)),
    named: (...names) => {
      const missing = names[args.length]
      if (missing !== undefined) throw new UsageError(`<${missing}> is missing.`)
      if (args.length > names.length) throw new UsageError('There are too many arguments. Put quotes around a text with spaces.')
      return [...args]
    },
  }
}

function numberOf(option: string, value: string, { min, max, whole = false }: { min: number; max: number; whole?: boolean }): number {
  const number = /^\d+(\.\d+)?$/.test(value) ? Number(value) : Number.NaN
  if (number >= min && number <= max && !(whole && !Number.isInteger(number))) return number
  throw new UsageError(`--${option} takes a ${whole ? 'whole number' : 'number'} from ${min} to ${max}.`)
}

function pairOf(option: string, value: string): [string, string] {
  const at = value.indexOf('=')
  if (at < 1) throw new UsageError(`--${option} takes name=value.`)
  return [value.slice(0, at), value.slice(at + 1)]
}
