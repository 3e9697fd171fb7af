import type { CallOptions } from './call.ts'
import type { Connection } from './connection.ts'
import { followStates } from './followStates.ts'
import type { Generation } from './openapi.ts'
import { defaultWaitSeconds, isEnded, stillRunning } from './pollStates.ts'
import { countdown } from './timing.ts'

/**
 * The generation as it stands and at each change of its state or progress, until it has ended; an hour at most unless told otherwise.
 * Throws AtelierError for what does not pass: TimedOut when the generation goes on for longer.
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
