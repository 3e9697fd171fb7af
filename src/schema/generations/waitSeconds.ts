import { limits } from '../../contract/limits.ts'
import type { Wait } from '../../domain/generations/reading/awaitGeneration.ts'
import type { SchemaContext } from '../core/context.ts'

/** The argument of a field whose answer may be held until work ends. */
export const waitSecondsArgument = {
  type: 'Int',
  description: 'Holds the answer until the work ends.',
  validate: { min: 0, max: limits.waitSecondsMax },
} as const

/** The signal of the caller is made when somebody waits. */
export function waitOf(waitSeconds: number | null | undefined, caller: Pick<SchemaContext, 'signal'>): Wait | undefined {
  return waitSeconds ? { waitSeconds, signal: caller.signal } : undefined
}
