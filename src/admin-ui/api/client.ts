import { retryExchange } from '@urql/exchange-retry'
import { Client, cacheExchange, fetchExchange, mapExchange, type Operation, type OperationResult } from 'urql'
import { failureOf } from './failure.ts'
import { fetchPrefetched } from './prefetchQueries.ts'

type Listener = () => void
const listeners = new Set<Listener>()
/** Queries that were refused since the session ended. */
const refusedQueries = new Map<number, Operation>()

/** Calls `listener` when the session ends while the page is open. Returns the end of that. */
export function onSessionEnd(listener: Listener): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

/** Repeats the queries that were refused, after a new sign-in. */
export function retryRefused(client: Client): void {
  const operations = [...refusedQueries.values()]
  refusedQueries.clear()
  for (const operation of operations) {
    const context = { ...operation.context, requestPolicy: 'network-only' } as const
    client.reexecuteOperation(client.createRequestOperation('query', operation, context))
  }
}

/**
 * Makes the GraphQL client for our own origin, with the session cookie. `onSignedOut` is called when there is no session and there
 * was none since the page was loaded; otherwise the listeners of {@link onSessionEnd} are called.
 * An empty list contains no `__typename`, so no mutation refetches it. Give its query a `context` with `additionalTypenames`, in an
 * object that is the same in every render.
 */
export function makeClient({ onSignedOut }: { onSignedOut(): void }): Client {
  let hadSession = false
  return new Client({
    url: '/graphql',
    preferGetMethod: false,
    fetch: fetchPrefetched,
    fetchOptions: { credentials: 'same-origin' },
    exchanges: [
      cacheExchange,
      mapExchange({
        onResult: (result) => {
          const { error, operation } = result
          if (!error) hadSession = true
          if (!error) return undefined
          if (failureOf(error).code !== 'unauthorized') return withoutNulls(result)
          if (!hadSession || listeners.size === 0) onSignedOut()
          else {
            if (operation.kind === 'query') refusedQueries.set(operation.key, operation)
            for (const listener of listeners) listener()
          }
          return undefined
        },
      }),
      retryExchange({
        initialDelayMs: 500,
        maxDelayMs: 4000,
        maxNumberAttempts: 3,
        // A mutation without an answer may still have succeeded.
        retryIf: ({ networkError, response }, { kind }) => kind === 'query' && networkError !== undefined && response === undefined,
      }),
      fetchExchange,
    ],
  })
}

/** Removes the data of a failed result whose fields are all null: with data, pages would show a loading state forever. */
function withoutNulls(result: OperationResult): OperationResult {
  const fields: unknown[] = Object.values((result.data as object | null | undefined) ?? {})
  return fields.every((field) => field === null) ? { ...result, data: undefined } : result
}
