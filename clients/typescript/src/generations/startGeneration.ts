import { AtelierError } from '../errors/atelierError.ts'
import { type CallOptions, call, callWithResponse, defaultAttemptSeconds } from '../http/call.ts'
import type { Connection } from '../http/connection.ts'
import { ResponsePromise, type WithResponse } from '../http/responsePromise.ts'
import { remaining } from '../http/timing.ts'
import type { Estimate, GenerationRequest, StartedGeneration } from '../openapi.ts'
import type { RequestFiles } from './request.ts'
import { uploadInputs } from './uploadInputs.ts'

export type StartOptions = CallOptions & {
  /**
   * Identifies this start, so that a repeat with the same key starts nothing again. Default: a random key. Set your own key if another
   * process may have to repeat the start; upload its files before, because a new upload is another request.
   */
  idempotencyKey?: string | undefined
  /** Holds the response until the work has ended, for at most this many seconds (maximum 60). */
  wait?: number | undefined
}

/** Starts a generation exactly once, even when the request is repeated. An error contains the key and the request to continue with. */
export function startGeneration(
  connection: Connection,
  request: GenerationRequest & RequestFiles,
  options: StartOptions,
): ResponsePromise<StartedGeneration> {
  return new ResponsePromise(start(connection, request, options))
}

async function start(
  connection: Connection,
  given: GenerationRequest & RequestFiles,
  { idempotencyKey = crypto.randomUUID(), wait = 0, ...options }: StartOptions,
): Promise<WithResponse<StartedGeneration>> {
  const left = remaining(connection.timing, options)
  const request = await uploadInputs(connection, given, left())
  try {
    return await callWithResponse(connection, 'startGeneration', {
      timeoutSeconds: connection.timeoutSeconds + wait,
      ...left(),
      body: request,
      query: wait > 0 ? { wait } : {},
      ownHeaders: { 'Idempotency-Key': idempotencyKey },
      repeatable: true,
      attemptSeconds: defaultAttemptSeconds + wait,
    })
  } catch (error) {
    if (error instanceof AtelierError) Object.assign(error, { idempotencyKey, request })
    throw error
  }
}

/** Returns the price of a start, after it has uploaded the files of the request. */
export function estimateGeneration(
  connection: Connection,
  request: GenerationRequest & RequestFiles,
  options: CallOptions,
): ResponsePromise<Estimate> {
  const left = remaining(connection.timing, options)
  const estimate = async () => {
    const body = await uploadInputs(connection, request, left())
    return await call(connection, 'estimateGeneration', { ...left(), body, repeatable: true }).withResponse()
  }
  return new ResponsePromise(estimate())
}
