import type { CallOptions } from '../http/call.ts'
import type { Connection } from '../http/connection.ts'
import { countdown } from '../http/timing.ts'
import type { Generation } from '../openapi.ts'
import { followStates } from './followStates.ts'
import { defaultWaitSeconds, isEnded, stillRunning } from './pollStates.ts'

/**
 * Yields the generation now and at each change of its state or progress until it has ended, by default for at most an hour.
 * Throws AtelierError for permanent errors, and TimedOutError when the generation runs longer.
 */
export async function* generationEvents(
  connection: Connection,
  generationId: string,
  { timeoutSeconds = defaultWaitSeconds, ...options }: CallOptions,
): AsyncGenerator<Generation, void, undefined> {
  const leftSeconds = countdown(connection.timing, timeoutSeconds)
  for await (const generation of followStates(connection, generationId, { ...options, leftSeconds })) {
    yield generation
    if (isEnded(generation)) return
  }
  throw stillRunning(generationId, timeoutSeconds)
}
