import { AtelierError, type ErrorKind } from '../atelierError.ts'
import { UsageError } from './usageError.ts'

/** What a script learns from the end of a command. Documented in the README: a number never changes its meaning. */
export const exitCodes = {
  ok: 0,
  failed: 1,
  usage: 2,
  request: 3,
  key: 4,
  credits: 5,
  notFound: 6,
  conflict: 7,
  rate: 8,
  service: 9,
  unfinished: 10,
  interrupted: 130,
} as const

export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes]

export const exitCodeMeanings: readonly (readonly [ExitCode, string])[] = [
  [exitCodes.ok, 'done'],
  [exitCodes.failed, 'the generation failed or was cancelled, a webhook is not genuine, a file could not be written'],
  [exitCodes.usage, 'the command line is wrong, or names a file that cannot be used'],
  [exitCodes.request, 'the service refused the request as it is'],
  [exitCodes.key, 'no key, a wrong one, or one that may not do this'],
  [exitCodes.credits, 'too few credits, or a ceiling: of the key, or --max-credits'],
  [exitCodes.notFound, 'there is no such generation, file or address'],
  [exitCodes.conflict, 'something else happened to it first, or happens right now'],
  [exitCodes.rate, 'too many requests'],
  [exitCodes.service, 'the service has a fault or cannot be reached'],
  [exitCodes.unfinished, 'the generation goes on: --timeout is over, or there is nothing to save yet'],
  [exitCodes.interrupted, 'Ctrl-C'],
]

const byKind: Record<ErrorKind, ExitCode> = {
  request: exitCodes.request,
  key: exitCodes.key,
  permission: exitCodes.key,
  credits: exitCodes.credits,
  not_found: exitCodes.notFound,
  conflict: exitCodes.conflict,
  rate: exitCodes.rate,
  service: exitCodes.service,
  connection: exitCodes.service,
}

/** The class of what a command threw. */
export function exitCodeOf(error: unknown): ExitCode {
  if (error instanceof UsageError) return exitCodes.usage
  if (!(error instanceof AtelierError)) return exitCodes.failed
  // A ceiling is answered as a lack of permission, and is one of money.
  if (error.code === 'spend_limit_exceeded') return exitCodes.credits
  if (error.code === 'timed_out' && 'generationId' in error.details) return exitCodes.unfinished
  return byKind[error.kind]
}
