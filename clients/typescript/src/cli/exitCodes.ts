import { AtelierError, type ErrorKind } from '../errors/atelierError.ts'
import { MissingKey, UsageError } from './usageError.ts'

/** The exit codes for scripts. Documented in the README; the meaning of a number never changes. */
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
  [exitCodes.failed, 'the generation failed or was cancelled, a webhook is not genuine, or a file could not be written'],
  [exitCodes.usage, 'the command line is wrong, or a file in it cannot be used'],
  [exitCodes.request, 'the service refused the request'],
  [exitCodes.key, 'the key is missing or wrong, or it or its team may not do this'],
  [exitCodes.credits, 'too few credits, or a ceiling of the key or --max-credits is exceeded'],
  [exitCodes.notFound, 'the generation, file or address does not exist'],
  [exitCodes.conflict, 'the request conflicts with another change'],
  [exitCodes.rate, 'too many requests'],
  [exitCodes.service, 'the service has an error or cannot be reached'],
  [exitCodes.unfinished, 'the generation is still running: --timeout has passed, or there is no result to save yet'],
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

/** The exit code of an error. */
export function exitCodeOf(error: unknown): ExitCode {
  if (error instanceof MissingKey) return exitCodes.key
  if (error instanceof UsageError) return exitCodes.usage
  if (!(error instanceof AtelierError)) return exitCodes.failed
  if (error.code === 'timed_out' && 'generationId' in error.details) return exitCodes.unfinished
  return byKind[error.kind]
}
