import { type CallOptions, call } from '../http/call.ts'
import type { ResponsePromise } from '../http/responsePromise.ts'
import type { Account, Operations, Usage } from '../openapi.ts'
import { HistoryClient } from './historyClient.ts'

/** What the key may spend, and what was spent. */
export class AccountClient extends HistoryClient {
  /** Reads what the key may spend and do. */
  getAccount(options: CallOptions = {}): ResponsePromise<Account> {
    return call(this.connection, 'getAccount', options)
  }

  /** Reads the usage of the team, by default per day. Days are in UTC and inclusive; by default the last thirty. */
  usage(query: Operations['getUsage']['query'] = {}, options: CallOptions = {}): ResponsePromise<Usage> {
    return call(this.connection, 'getUsage', { query, ...options })
  }
}
