/** A query that is sent before the code that all pages need has arrived. */
export type EarlyQuery = { document: string; variables?: Record<string, unknown> }

/** After this time, a page requests its data again. */
const usableMs = 15_000

const responses = new Map<string, { sentAt: number; response: Promise<Response> }>()

/** Sends the queries that the page at the address needs first. Their responses are for {@link fetchOnce}. */
export function sendEarly(queries: readonly EarlyQuery[]): void {
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

/** `fetch` for the GraphQL client. The first time it uses the response to the same query if it was sent early. */
export async function fetchOnce(url: RequestInfo | URL, init?: RequestInit): Promise<Response> {
  const early = responses.size > 0 && typeof init?.body === 'string' ? takeEarly(init.body) : undefined
  const response = (await early?.catch(() => undefined)) ?? (await fetch(url, init))
  // The session has ended, or the service refuses: later requests do not use responses of before.
  if (!response.ok) responses.clear()
  return response
}

function takeEarly(body: string): Promise<Response> | undefined {
  const request = JSON.parse(body) as Parameters<typeof requestKey>[0] & { query?: string }
  // An early response lacks what a mutation changes.
  if (request.query?.startsWith('mutation')) responses.clear()
  const key = requestKey(request)
  const early = responses.get(key)
  responses.delete(key)
  return early && performance.now() - early.sentAt < usableMs ? early.response : undefined
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
