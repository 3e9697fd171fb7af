import { callerResolver } from '../network/callerResolver.ts'
import type { Resolve } from '../network/checkUrl.ts'
import type { Context } from './context.ts'

/** Resolves host names from the caller's request. Each person has a limited number of DNS look-ups in progress. */
export function resolveForCaller({ actor }: Pick<Context, 'actor'>): Resolve {
  return callerResolver.for(actor.kind === 'key' || actor.kind === 'person' ? actor.userId : actor.kind)
}
