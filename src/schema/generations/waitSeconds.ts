import { limits } from '../../contract/limits.ts'
import type { Wait } from '../../domain/generations/reading/awaitGeneration.ts'
import type { SchemaContext } from '../core/context.ts'

/** The argument of a field that can wait for the end of a generation. */
export const waitSecondsArgument = {
  type: 'Int',
  description: 'Delays the response until the generation ends, for at most this many seconds.',
  validate: { min: 0, max: limits.waitSecondsMax },
} as const

/** The wait of a field; `undefined` without one. Reads the caller's signal only for a wait, because it is created lazily. */
export function waitOf(waitSeconds: number | null | undefined, caller: Pick<SchemaContext, 'signal'>): Wait | undefined {
  return waitSeconds ? { waitSeconds, signal: caller.signal } : undefined
}
