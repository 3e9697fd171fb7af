import { type CallOptions, call } from '../http/call.ts'
import type { ResponsePromise } from '../http/responsePromise.ts'
import type { Family, FamilyList, Operations } from '../openapi.ts'
import { ConnectedClient } from './connectedClient.ts'
import { allItems } from './pages.ts'

type FamilyFilter = Operations['listFamilies']['query']

/** The catalog of model families, and the description of the API. */
export class CatalogClient extends ConnectedClient {
  /** Lists all model families, or those with a task or an output type. */
  listFamilies(query: FamilyFilter = {}, options: CallOptions = {}): ResponsePromise<FamilyList> {
    return call(this.connection, 'listFamilies', { query, ...options })
  }

  /** Iterates over the families, all of them or those with a task or an output type. */
  families({ task, outputType, ...options }: FamilyFilter & CallOptions = {}): AsyncGenerator<Family, void, undefined> {
    const filter = { ...(task === undefined ? {} : { task }), ...(outputType === undefined ? {} : { outputType }) }
    return allItems((cursor) => this.listFamilies({ ...filter, ...cursor }, options))
  }

  getFamily(id: string, options: CallOptions = {}): ResponsePromise<Family> {
    return call(this.connection, 'getFamily', { path: { id }, ...options })
  }

  /** Reads the OpenAPI document of the service. */
  getDescription(options: CallOptions = {}): ResponsePromise<Record<string, unknown>> {
    return call(this.connection, 'getDescription', options)
  }
}
