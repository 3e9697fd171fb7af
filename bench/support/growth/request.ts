import type { latencyOf, Read } from '../latency.ts'

/** Sends one request and returns the answer. */
export type Asking = Pick<ReturnType<typeof latencyOf>, 'ask'>

/** A request of REST, for example `restRead(key, 'generations?limit=10')`. */
export function restRead(key: string, path: string, body?: unknown): Read {
  return { path: `/api/v1/${path}`, key, ...(body === undefined ? {} : { body }) }
}

/** A request of GraphQL. */
export function graphqlRead(token: string, query: string, variables: Record<string, unknown>): Read {
  return { path: '/graphql', key: token, body: { query, variables } }
}
