import { AtelierError } from './atelierError.ts'
import { type CallOptions, call, defaultAttemptSeconds } from './call.ts'
import type { Connection } from './connection.ts'
import type { GenerationRequest, StartedGeneration } from './openapi.ts'

export type StartOptions = CallOptions & {
  /**
   * Identifies this start, so that a repeat with the same key starts nothing again. Default: a random key. Set your own key if another
   * process may have to repeat the start.
   */
  idempotencyKey?: string | undefined
  /** Holds the response until the work has ended, for at most this many seconds (maximum 60). */
  wait?: number | undefined
}

/** Starts a generation exactly once, even when the request is repeated. An error contains the key to continue with. */
export async function startGeneration(
  connection: Connection,
  request: GenerationRequest,
  { idempotencyKey = crypto.randomUUID(), wait = 0, signal, timeoutSeconds = connection.timeoutSeconds + wait }: StartOptions,
): Promise<StartedGeneration> {
  try {
    return await call(connection, 'startGeneration', {
      body: request,
      query: wait > 0 ? { wait } : {},
      headers: { 'Idempotency-Key': idempotencyKey },
      repeatable: true,
      timeoutSeconds,
      attemptSeconds: defaultAttemptSeconds + wait,
      signal,
    })
  } catch (error) {
    if (error instanceof AtelierError) error.idempotencyKey = idempotencyKey
    throw error
  }
}
