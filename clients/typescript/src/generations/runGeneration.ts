import { hasCode } from '../errors/hasCode.ts'
import type { Connection } from '../http/connection.ts'
import { remaining } from '../http/timing.ts'
import type { GenerationRequest, StartedGeneration } from '../openapi.ts'
import { defaultWaitSeconds, type EndedGeneration, isEnded } from './pollStates.ts'
import type { RequestFiles } from './request.ts'
import { type StartOptions, startGeneration } from './startGeneration.ts'
import { uploadInputs } from './uploadInputs.ts'
import { untilDone, type WaitOptions } from './waitUntilDone.ts'

export type RunOptions = WaitOptions & Pick<StartOptions, 'idempotencyKey'>

/** Below the usual timeout of proxies. Longer work is polled with requests that are safe to repeat. */
const heldSecondsMax = 30
/** A start is held until the time limit. Its answer, which has the identifier, may take this much longer. */
const answerSeconds = 1

/**
 * Uploads the files of a request, starts a generation and waits for its end. Without `onProgress` the start is held, so that short work
 * takes one request. `timeoutSeconds`, by default an hour, limits all of this.
 * Throws AtelierError: TimedOutError with the `generationId` when the generation runs longer.
 */
export async function runGeneration(
  connection: Connection,
  given: GenerationRequest & RequestFiles,
  { idempotencyKey = crypto.randomUUID(), onProgress, ...options }: RunOptions,
): Promise<EndedGeneration> {
  const timeoutSeconds = options.timeoutSeconds ?? defaultWaitSeconds
  const left = remaining(connection.timing, { ...options, timeoutSeconds })
  const request = await uploadInputs(connection, given, options.timeoutSeconds === undefined ? options : left())
  const wait = onProgress ? 0 : Math.min(heldSecondsMax, Math.floor(left().timeoutSeconds))
  const startSeconds = Math.min(connection.timeoutSeconds + wait, left().timeoutSeconds + answerSeconds)
  const startOptions = { ...options, idempotencyKey, wait, timeoutSeconds: startSeconds }
  const { replayed: _, ...generation } = await started(connection, request, startOptions)
  if (isEnded(generation) && !onProgress) return generation
  const leftSeconds = () => left().timeoutSeconds
  return await untilDone(connection, generation.generationId, { ...options, onProgress, timeoutSeconds, leftSeconds })
}

/** Older services cannot hold a start. */
async function started(connection: Connection, request: GenerationRequest, options: StartOptions): Promise<StartedGeneration> {
  const left = remaining(connection.timing, options)
  try {
    return await startGeneration(connection, request, options)
  } catch (error) {
    const isOlder =
      hasCode(error, 'invalid_request') && error.details.issues?.some((issue) => issue.in === 'query' && issue.path[0] === 'wait')
    if (!isOlder) throw error
    return await startGeneration(connection, request, { ...left(), wait: 0 })
  }
}
