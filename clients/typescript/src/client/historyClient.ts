import { type DownloadOptions, download, downloadTo } from '../generations/download.ts'
import { type CallOptions, call } from '../http/call.ts'
import type { ResponsePromise } from '../http/responsePromise.ts'
import type { Generation, GenerationList, Operations } from '../openapi.ts'
import { GenerationsClient } from './generationsClient.ts'
import { allItems } from './pages.ts'

type HistoryQuery = Operations['listGenerations']['query']

/** The filters of the history, like `status` and `reference`. */
export type HistoryOptions = CallOptions & {
  [Filter in Exclude<keyof HistoryQuery, 'cursor' | 'limit'>]?: HistoryQuery[Filter] | undefined
} & {
  /** Page size of the requests. */
  pageItems?: number | undefined
}

/** The history of generations, and their results. */
export class HistoryClient extends GenerationsClient {
  /** One page of the history. */
  listGenerations(query: HistoryQuery = {}, options: CallOptions = {}): ResponsePromise<GenerationList> {
    return call(this.connection, 'listGenerations', { query, ...options })
  }

  /** Iterates over the history, newest first, and reads pages on demand. */
  history({
    pageItems,
    signal,
    timeoutSeconds,
    attemptsMax,
    headers,
    ...filter
  }: HistoryOptions = {}): AsyncGenerator<Generation, void, undefined> {
    const given = Object.entries({ ...filter, limit: pageItems }).filter(([, value]) => value !== undefined)
    const query: HistoryQuery = Object.fromEntries(given)
    return allItems((cursor) => this.listGenerations({ ...query, ...cursor }, { signal, timeoutSeconds, attemptsMax, headers }))
  }

  /**
   * Downloads the file of a ready generation. With `to` it is written to this path, completely or not at all, and the path is returned.
   * Without, returns a response with an unread body.
   */
  download(generation: Generation, options: DownloadOptions & { to: string }): Promise<string>
  download(generation: Generation, options?: DownloadOptions): Promise<Response>
  download(generation: Generation, { to, ...options }: DownloadOptions & { to?: string } = {}): Promise<Response | string> {
    return to === undefined ? download(this.connection, generation, options) : downloadTo(this.connection, generation, to, options)
  }

  /** Deletes the result of a generation. The generation stays in the history, and all links to its result stop working. */
  deleteResult(id: string, options: CallOptions = {}): ResponsePromise<void> {
    return call(this.connection, 'deleteResult', { path: { id }, repeatable: true, ...options })
  }
}
