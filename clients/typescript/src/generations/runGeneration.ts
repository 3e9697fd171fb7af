import type { Connection } from './connection.ts'
import { hasCode } from './hasCode.ts'
import type { GenerationRequest, StartedGeneration } from './openapi.ts'
import { defaultWaitSeconds, type EndedGeneration, isEnded } from './pollStates.ts'
import { type StartOptions, startGeneration } from './startGeneration.ts'
import { countdown } from './timing.ts'
import { untilDone, type WaitOptions } from './waitUntilDone.ts'

export type RunOptions = WaitOptions & Pick<StartOptions, 'idempotencyKey'>

/** Below the usual timeout of proxies. Longer work is polled with requests that are safe to repeat. */
const heldSecondsMax = 30

/**
 * Starts a generation and waits for its end. Without `onProgress` the start is held, so that short work takes one request.
 * Throws AtelierError: TimedOut when the generation runs longer than `timeoutSeconds`, by default an hour.
 */
export async function runGeneration(
  connection: Connection,
  request: GenerationRequest,
  { idempotencyKey = crypto.randomUUID(), ...options }: RunOptions,
): Promise<EndedGeneration> {
  const { timeoutSeconds = defaultWaitSeconds, signal, onProgress } = options
  const leftSeconds = countdown(connection.timing, timeoutSeconds)
  const wait = onProgress ? 0 : Math.min(heldSecondsMax, Math.floor(timeoutSeconds))
  const { replayed: _, ...generation } = await started(connection, request, { idempotencyKey, signal, wait })
  if (isEnded(generation) && !onProgress) return generation
  return await untilDone(connection, generation.generationId, { timeoutSeconds, leftSeconds, signal, onProgress })
}

/** Older services cannot hold a start. */
async function started(connection: Connection, request: GenerationRequest, options: StartOptions): Promise<StartedGeneration> {
  try {
    return await startGeneration(connection, request, options)
  } catch (error) {
    const isOlder =
      hasCode(error, 'invalid_request') && error.details.issues?.some((issue) => issue.in === 'query' && issue.path[0] === 'wait')
    if (!isOlder) throw error
    return await startGeneration(connection, request, { ...options, wait: 0 })
  }
}
