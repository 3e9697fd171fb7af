import { type CallOptions, call } from './call.ts'
import { type AtelierOptions, type Connection, connectionOf } from './connection.ts'
import { download } from './download.ts'
import type { FileSource } from './fileSource.ts'
import { generationEvents } from './generationEvents.ts'
import type {
  Account,
  CancelledGeneration,
  Estimate,
  Family,
  FamilyList,
  File,
  Generation,
  GenerationList,
  GenerationRequest,
  HistoryStatus,
  Operations,
  StartedGeneration,
  Usage,
} from './openapi.ts'
import type { EndedGeneration } from './pollStates.ts'
import { type RunOptions, runGeneration } from './runGeneration.ts'
import { type StartOptions, startGeneration } from './startGeneration.ts'
import { type ReadyFile, type UploadOptions, uploadFile, waitForFile } from './uploadFile.ts'
import { type WaitOptions, waitUntilDone } from './waitUntilDone.ts'

export type HistoryOptions = CallOptions & {
  status?: HistoryStatus | undefined
  /** Selects generations that were started with exactly this reference. */
  reference?: string | undefined
  /** Page size of the requests. */
  pageItems?: number | undefined
}

/**
 * A client of one Atelier service, with one key. Calls that fail for a temporary reason are repeated when this is safe. If they still
 * fail, they throw AtelierError.
 */
export class Atelier {
  readonly #connection: Connection

  constructor(options: AtelierOptions) {
    this.#connection = connectionOf(options)
  }

  /** Lists all model families, or those with a task or an output type. */
  listFamilies(query: Operations['listFamilies']['query'] = {}, options: CallOptions = {}): Promise<FamilyList> {
    return call(this.#connection, 'listFamilies', { query, ...options })
  }

  getFamily(id: string, options: CallOptions = {}): Promise<Family> {
    return call(this.#connection, 'getFamily', { path: { id }, ...options })
  }

  /** Uploads a file to use as an input. It may still be processing: a start repeats until it is ready, and `waitForFile` waits for it. */
  uploadFile(source: FileSource, options: UploadOptions = {}): Promise<File> {
    return uploadFile(this.#connection, source, options)
  }

  getFile(id: string, options: CallOptions = {}): Promise<File> {
    return call(this.#connection, 'getFile', { path: { id }, ...options })
  }

  /** Waits until a file is ready, by default at most five minutes. Throws the refusal of a start with it when it never will be. */
  waitForFile(id: string, options: CallOptions = {}): Promise<ReadyFile> {
    return waitForFile(this.#connection, id, options)
  }

  /** Deletes a file. Refused while unfinished work needs it, and when it was already deleted. */
  deleteFile(id: string, options: CallOptions = {}): Promise<void> {
    return call(this.#connection, 'deleteFile', { path: { id }, ...options })
  }

  /** Returns the exact cost of a start, and whether it could start now. Spends nothing. */
  estimate(request: GenerationRequest, options: CallOptions = {}): Promise<Estimate> {
    return call(this.#connection, 'estimateGeneration', { body: request, repeatable: true, ...options })
  }

  /**
   * Starts a generation exactly once, even when the request is repeated. With `wait` the response is held until the end, for at most that
   * many seconds. An error contains the `idempotencyKey` to continue with.
   */
  start(request: GenerationRequest, options: StartOptions = {}): Promise<StartedGeneration> {
    return startGeneration(this.#connection, request, options)
  }

  /** Starts a generation and waits for its end in any state, by default at most an hour. `expectReady` throws unless it is ready. */
  run(request: GenerationRequest, options: RunOptions = {}): Promise<EndedGeneration> {
    return runGeneration(this.#connection, request, options)
  }

  /** Reads the current state of a generation. With `wait` the response is held until the end, for at most that many seconds. */
  getGeneration(id: string, { wait = 0, ...options }: CallOptions & { wait?: number } = {}): Promise<Generation> {
    const timeoutSeconds = this.#connection.timeoutSeconds + wait
    const query = wait > 0 ? { wait } : {}
    return call(this.#connection, 'getGeneration', { path: { id }, query, timeoutSeconds, attemptSeconds: timeoutSeconds, ...options })
  }

  /** Waits for the end of a generation, by default at most an hour. */
  waitUntilDone(generationId: string, options: WaitOptions = {}): Promise<EndedGeneration> {
    return waitUntilDone(this.#connection, generationId, options)
  }

  /**
   * Yields the generation now and at each change of its state or progress, until its end. Broken connections are reopened. Leaving the
   * loop closes the connection.
   */
  events(generationId: string, options: CallOptions = {}): AsyncGenerator<Generation, void, undefined> {
    return generationEvents(this.#connection, generationId, options)
  }

  /** One page of the history. */
  listGenerations(query: Operations['listGenerations']['query'] = {}, options: CallOptions = {}): Promise<GenerationList> {
    return call(this.#connection, 'listGenerations', { query, ...options })
  }

  /** Iterates over the history, newest first, and reads pages on demand. */
  async *history({ status, reference, pageItems, ...options }: HistoryOptions = {}): AsyncGenerator<Generation, void, undefined> {
    const filter = {
      ...(status === undefined ? {} : { status }),
      ...(reference === undefined ? {} : { reference }),
      ...(pageItems === undefined ? {} : { limit: pageItems }),
    }
    let cursor: string | null | undefined
    do {
      const page = await this.listGenerations({ ...filter, ...(cursor ? { cursor } : {}) }, options)
      yield* page.items
      cursor = page.nextCursor
    } while (cursor)
  }

  /** Cancels a generation. `cancelled` is true when this call did it; `creditsCharged` is the cost of work that had begun. */
  cancel(id: string, options: CallOptions = {}): Promise<CancelledGeneration> {
    return call(this.#connection, 'cancelGeneration', { path: { id }, body: {}, repeatable: true, ...options })
  }

  /** Deletes the result of a generation. The generation stays in the history, and all links to its result stop working. */
  deleteResult(id: string, options: CallOptions = {}): Promise<void> {
    return call(this.#connection, 'deleteResult', { path: { id }, repeatable: true, ...options })
  }

  /** Downloads the file of a ready generation, as a response with an unread body. */
  download(generation: Generation, options: CallOptions = {}): Promise<Response> {
    return download(this.#connection, generation, options)
  }

  /** Reads what the key may spend and do. */
  getAccount(options: CallOptions = {}): Promise<Account> {
    return call(this.#connection, 'getAccount', options)
  }

  /** Reads the usage of the team, by default per day. Days are in UTC and inclusive; by default the last thirty. */
  usage(query: Operations['getUsage']['query'] = {}, options: CallOptions = {}): Promise<Usage> {
    return call(this.#connection, 'getUsage', { query, ...options })
  }

  /** Reads the OpenAPI document of the service. */
  getDescription(options: CallOptions = {}): Promise<Record<string, unknown>> {
    return call(this.#connection, 'getDescription', options)
  }
}
