import { retryExchange } from '@urql/exchange-retry'
import { Client, cacheExchange, fetchExchange, mapExchange, type Operation } from 'urql'
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
        onResult: ({ error, operation }) => {
          if (!error) hadSession = true
          if (!error || failureOf(error).code !== 'unauthorized') return
          if (!hadSession || listeners.size === 0) return onSignedOut()
          if (operation.kind === 'query') refusedQueries.set(operation.key, operation)
          for (const listener of listeners) listener()
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
