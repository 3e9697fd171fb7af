import type { CallOptions } from './call.ts'
import type { Connection } from './connection.ts'
import { followStates } from './followStates.ts'
import type { Generation } from './openapi.ts'
import { defaultWaitSeconds, isEnded, stillRunning } from './pollStates.ts'
import { countdown } from './timing.ts'

/**
 * Yields the generation now and at each change of its state or progress until it has ended, by default for at most an hour.
 * Throws AtelierError for permanent errors, and TimedOut when the generation runs longer.
 */
export async function* generationEvents(
  connection: Connection,
  generationId: string,
  { timeoutSeconds = defaultWaitSeconds, signal }: CallOptions,
): AsyncGenerator<Generation, void, undefined> {
  const leftSeconds = countdown(connection.timing, timeoutSeconds)
  for await (const generation of followStates(connection, generationId, { leftSeconds, signal })) {
    yield generation
    if (isEnded(generation)) return
  }
  throw stillRunning(generationId, timeoutSeconds)
}
