/** A query that is sent before the code that all pages need has arrived. */
export type PrefetchQuery = { document: string; variables?: Record<string, unknown> }

/** After this time, a page requests its data again. */
const usableMs = 15_000

const responses = new Map<string, { sentAt: number; response: Promise<Response> }>()

/** Sends the queries that the page at the address needs first. {@link fetchPrefetched} uses their responses. */
export function prefetchQueries(queries: readonly PrefetchQuery[]): void {
  for (const { document, variables = {} } of queries) {
    const query = withTypenames(document)
    const [, operationName = ''] = /query (\w+)/.exec(document) ?? []
    const response = fetch('/graphql', {
      method: 'POST',
      headers: { Accept: 'application/graphql-response+json, application/json', 'Content-Type': 'application/json' },
      body: JSON.stringify({ operationName, query, variables }),
    })
    // The client repeats the request.
    response.catch(() => undefined)
    responses.set(requestKey({ operationName, variables }), { sentAt: performance.now(), response })
  }
}

/** `fetch` for the GraphQL client. The first request of a prefetched query gets the prefetched response. */
export async function fetchPrefetched(url: RequestInfo | URL, init?: RequestInit): Promise<Response> {
  const prefetched = responses.size > 0 && typeof init?.body === 'string' ? takePrefetched(init.body) : undefined
  const response = (await prefetched?.catch(() => undefined)) ?? (await fetch(url, init))
  // The session has ended, or the service refuses: later requests use no prefetched response.
  if (!response.ok) responses.clear()
  return response
}

function takePrefetched(body: string): Promise<Response> | undefined {
  const request = JSON.parse(body) as Parameters<typeof requestKey>[0] & { query?: string }
  // A mutation may change what a prefetched response contains.
  if (request.query?.startsWith('mutation')) responses.clear()
  const key = requestKey(request)
  const prefetched = responses.get(key)
  responses.delete(key)
  return prefetched && performance.now() - prefetched.sentAt < usableMs ? prefetched.response : undefined
}

/** Variables that are null are the same as none. */
function requestKey({ operationName, variables }: { operationName?: string; variables?: Record<string, unknown> }): string {
  const given = Object.entries(variables ?? {}).filter(([, value]) => value !== null)
  return JSON.stringify([operationName, given.toSorted(([left], [right]) => (left < right ? -1 : 1))])
}

/** Adds `__typename` to each selection, as the cache of the client does. */
export function withTypenames(document: string): string {
  let depth = 0
  return document.replace(/[{}]/g, (bracket) => {
    depth += bracket === '{' ? 1 : -1
    // The outermost braces are those of the operation.
    return bracket === '}' && depth > 0 ? `__typename ${bracket}` : bracket
  })
}
