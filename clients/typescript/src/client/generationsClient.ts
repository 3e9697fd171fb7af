import { generationEvents } from '../generations/generationEvents.ts'
import type { EndedGeneration } from '../generations/pollStates.ts'
import type { StartRequest } from '../generations/request.ts'
import { type RunOptions, runGeneration } from '../generations/runGeneration.ts'
import { estimateGeneration, type StartOptions, startGeneration } from '../generations/startGeneration.ts'
import { type WaitOptions, waitUntilDone } from '../generations/waitUntilDone.ts'
import { type CallOptions, call } from '../http/call.ts'
import type { ResponsePromise } from '../http/responsePromise.ts'
import type { CancelledGeneration, Estimate, Generation, GenerationRequest, StartedBatch, StartedGeneration } from '../openapi.ts'
import { FilesClient } from './filesClient.ts'

export type BatchOptions = CallOptions & {
  /** The most credits that the started items may cost together. */
  maxCredits?: number | undefined
  /** Identifies the batch, so that a repeat with the same key starts only what was not started. Default: a random key. */
  idempotencyKey?: string | undefined
}

/** Starts generations and follows them. */
export class GenerationsClient extends FilesClient {
  /** Returns the exact cost of a start, and whether it could start now. Spends nothing. Files of the request are uploaded. */
  estimate<const Id extends string>(request: StartRequest<Id>, options: CallOptions = {}): ResponsePromise<Estimate> {
    return estimateGeneration(this.connection, request, options)
  }

  /**
   * Starts a generation exactly once, even when the request is repeated. Files of the request are uploaded before. With `wait` the
   * response is held until the end, for at most that many seconds. An error contains the `idempotencyKey` and the `request` to continue
   * with.
   */
  start<const Id extends string>(request: StartRequest<Id>, options: StartOptions = {}): ResponsePromise<StartedGeneration> {
    return startGeneration(this.connection, request, options)
  }

  /** Starts up to 50 generations. `items` of the answer has the start or the refusal of each request, in order. */
  startBatch(
    items: GenerationRequest[],
    { maxCredits, idempotencyKey = crypto.randomUUID(), ...options }: BatchOptions = {},
  ): ResponsePromise<StartedBatch> {
    const body = { items, ...(maxCredits === undefined ? {} : { maxCredits }) }
    const ownHeaders = { 'Idempotency-Key': idempotencyKey }
    return call(this.connection, 'startBatch', { body, ownHeaders, repeatable: true, ...options })
  }

  /**
   * Starts a generation and waits for its end in any state, by default at most an hour. Files of the request are uploaded before.
   * `expectReady` throws unless it is ready.
   */
  run<const Id extends string>(request: StartRequest<Id>, options: RunOptions = {}): Promise<EndedGeneration> {
    return runGeneration(this.connection, request, options)
  }

  /** Reads the current state of a generation. With `wait` the response is held until the end, for at most that many seconds. */
  getGeneration(id: string, { wait = 0, ...options }: CallOptions & { wait?: number } = {}): ResponsePromise<Generation> {
    const timeoutSeconds = this.connection.timeoutSeconds + wait
    const query = wait > 0 ? { wait } : {}
    return call(this.connection, 'getGeneration', { path: { id }, query, timeoutSeconds, attemptSeconds: timeoutSeconds, ...options })
  }

  /** Waits for the end of a generation, by default at most an hour. */
  waitUntilDone(generationId: string, options: WaitOptions = {}): Promise<EndedGeneration> {
    return waitUntilDone(this.connection, generationId, options)
  }

  /**
   * Yields the generation now and at each change of its state or progress, until its end. Broken connections are reopened. Leaving the
   * loop closes the connection.
   */
  events(generationId: string, options: CallOptions = {}): AsyncGenerator<Generation, void, undefined> {
    return generationEvents(this.connection, generationId, options)
  }

  /** Cancels a generation. `cancelled` is true when this call did it; `creditsCharged` is the cost of work that had begun. */
  cancel(id: string, options: CallOptions = {}): ResponsePromise<CancelledGeneration> {
    return call(this.connection, 'cancelGeneration', { path: { id }, body: {}, repeatable: true, ...options })
  }
}
