import { retryExchange } from '@urql/exchange-retry'
import { Client, cacheExchange, fetchExchange, mapExchange } from 'urql'
import { failureOf } from './failure.ts'

/**
 * Speaks GraphQL with our own origin, by the cookie of the session. `onSignedOut` hears when there is no session; `hadSession`: there was
 * one since the page was loaded, so that it has ended under somebody's hands.
 *
 * A list that was empty has no `__typename` in it, so that no mutation refetches it: give its query `context` with `additionalTypenames`,
 * in an object that stays the same between renders.
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
        // A mutation whose answer was lost may have done its work.
        retryIf: ({ networkError, response }, { kind }) => kind === 'query' && networkError !== undefined && response === undefined,
      }),
      fetchExchange,
    ],
  })
}
