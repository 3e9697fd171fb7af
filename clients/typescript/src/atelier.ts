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
  /** Only those that were started with exactly this reference. */
  reference?: string | undefined
  /** How many one request asks for. */
  pageItems?: number | undefined
}

/**
 * A client of one Atelier service, with one key. Calls that fail for reasons that pass are repeated, as far as that is safe; what then
 * still fails throws AtelierError.
 */
export class Atelier {
  readonly #connection: Connection

  constructor(options: AtelierOptions) {
    this.#connection = connectionOf(options)
  }

  /** All model families, or those that do a task or make a kind of output. */
  listFamilies(query: Operations['listFamilies']['query'] = {}, options: CallOptions = {}): Promise<FamilyList> {
    return call(this.#connection, 'listFamilies', { query, ...options })
  }

  getFamily(id: string, options: CallOptions = {}): Promise<Family> {
    return call(this.#connection, 'getFamily', { path: { id }, ...options })
  }

  /**
   * Sends a file that generations can then name as an input. It may still be processing: a start waits for it as for anything that passes,
   * and `waitForFile` says when it can be used.
   */
  uploadFile(source: FileSource, options: UploadOptions = {}): Promise<File> {
    return uploadFile(this.#connection, source, options)
  }

  getFile(id: string, options: CallOptions = {}): Promise<File> {
    return call(this.#connection, 'getFile', { path: { id }, ...options })
  }

  /** Waits until a file can be used, five minutes at most unless told otherwise. Throws what a start with it would meet if it never can. */
  waitForFile(id: string, options: CallOptions = {}): Promise<ReadyFile> {
    return waitForFile(this.#connection, id, options)
  }

  /** Deletes a file, once: the next time there is none. Refused while work that has not ended needs it. */
  deleteFile(id: string, options: CallOptions = {}): Promise<void> {
    return call(this.#connection, 'deleteFile', { path: { id }, ...options })
  }

  /** What a start would cost, to the hundredth, and whether it could start now. Nothing is spent. */
  estimate(request: GenerationRequest, options: CallOptions = {}): Promise<Estimate> {
    return call(this.#connection, 'estimateGeneration', { body: request, repeatable: true, ...options })
  }

  /**
   * Starts a generation, once, however often it has to be sent; with `wait` the answer comes at its end, or after so many seconds. What it
   * throws holds the `idempotencyKey` with which to go on.
   */
  start(request: GenerationRequest, options: StartOptions = {}): Promise<StartedGeneration> {
    return startGeneration(this.#connection, request, options)
  }

  /**
   * Starts a generation and waits for its end, however it ends, an hour at most unless told otherwise; `expectReady` throws for any end
   * but a result.
   */
  run(request: GenerationRequest, options: RunOptions = {}): Promise<EndedGeneration> {
    return runGeneration(this.#connection, request, options)
  }

  /** A generation as it stands; with `wait` at its end, or after so many seconds. */
  getGeneration(id: string, { wait = 0, ...options }: CallOptions & { wait?: number } = {}): Promise<Generation> {
    const timeoutSeconds = this.#connection.timeoutSeconds + wait
    const query = wait > 0 ? { wait } : {}
    return call(this.#connection, 'getGeneration', { path: { id }, query, timeoutSeconds, attemptSeconds: timeoutSeconds, ...options })
  }

  /** Waits for the end of a generation, an hour at most unless told otherwise. */
  waitUntilDone(generationId: string, options: WaitOptions = {}): Promise<EndedGeneration> {
    return waitUntilDone(this.#connection, generationId, options)
  }

  /**
   * The generation as it stands and at each change of its state or progress, the end included. What breaks on the way is opened again;
   * leaving the loop ends it.
   */
  events(generationId: string, options: CallOptions = {}): AsyncGenerator<Generation, void, undefined> {
    return generationEvents(this.#connection, generationId, options)
  }

  /** One page of the history. */
  listGenerations(query: Operations['listGenerations']['query'] = {}, options: CallOptions = {}): Promise<GenerationList> {
    return call(this.#connection, 'listGenerations', { query, ...options })
  }

  /** The whole history, the newest first, a page at a time as it is read. */
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

  /** Cancels a generation; `cancelled` says whether this call did, and `creditsCharged` what begun work has cost. */
  cancel(id: string, options: CallOptions = {}): Promise<CancelledGeneration> {
    return call(this.#connection, 'cancelGeneration', { path: { id }, body: {}, repeatable: true, ...options })
  }

  /** Deletes what a generation has made; the generation stays in the history, and all links to its result are dead. */
  deleteResult(id: string, options: CallOptions = {}): Promise<void> {
    return call(this.#connection, 'deleteResult', { path: { id }, repeatable: true, ...options })
  }

  /** The file of a ready generation, as a response whose body is still to be read. */
  download(generation: Generation, options: CallOptions = {}): Promise<Response> {
    return download(this.#connection, generation, options)
  }

  /** What the key may spend and do. */
  getAccount(options: CallOptions = {}): Promise<Account> {
    return call(this.#connection, 'getAccount', options)
  }

  /** What the team spent, by day unless told otherwise: whole days in UTC, both ends counted, the last thirty where nothing is said. */
  usage(query: Operations['getUsage']['query'] = {}, options: CallOptions = {}): Promise<Usage> {
    return call(this.#connection, 'getUsage', { query, ...options })
  }

  /** The OpenAPI document of the service. */
  getDescription(options: CallOptions = {}): Promise<Record<string, unknown>> {
    return call(this.#connection, 'getDescription', options)
  }
}
