import { retryExchange } from '@urql/exchange-retry'
import { Client, cacheExchange, fetchExchange, mapExchange } from 'urql'
import { failureOf } from './failure.ts'

/**
 * Makes the GraphQL client for our own origin, with the session cookie. `onSignedOut` is called when there is no session; `hadSession` is
 * true when one existed since the page was loaded.
 * An empty list contains no `__typename`, so no mutation refetches it. Give its query a `context` with `additionalTypenames`, in an
 * object that is the same in every render.
 */
export function makeClient({ onSignedOut }: { onSignedOut(hadSession: boolean): void }): Client {
  let hadSession = false
  return new Client({
    url: '/graphql',
    preferGetMethod: false,
    fetchOptions: { credentials: 'same-origin' },
    exchanges: [
      cacheExchange,
      mapExchange({
        onResult: ({ error }) => {
          if (!error) hadSession = true
          else if (failureOf(error).code === 'unauthorized') onSignedOut(hadSession)
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
