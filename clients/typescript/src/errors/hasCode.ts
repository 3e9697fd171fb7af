import type { RefusalCode } from '../openapi.ts'
import { AtelierError, type ConnectionCode } from './atelierError.ts'
import type { ErrorOf } from './errorOf.ts'

/** True for an error with one of these codes. Its `details` then have the type of the code. */
export function hasCode<Code extends RefusalCode | ConnectionCode>(error: unknown, ...codes: Code[]): error is ErrorOf<Code> {
  return error instanceof AtelierError && (codes as string[]).includes(error.code)
}
