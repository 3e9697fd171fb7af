import { AtelierError } from './atelierError.ts'
import { type CallOptions, call, defaultAttemptSeconds } from './call.ts'
import type { Connection } from './connection.ts'
import type { GenerationRequest, StartedGeneration } from './openapi.ts'

export type StartOptions = CallOptions & {
  /**
   * Names this logical start: whatever happens on the way, it starts once. One is made when none is given; give your own where a start
   * is to survive the end of this process.
   */
  idempotencyKey?: string | undefined
  /** Hold the answer for up to so many seconds, 60 at most, until the work has ended. */
  wait?: number | undefined
}

/** Starts a generation, once, however often it has to be sent. What it throws holds the key with which to go on. */
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
