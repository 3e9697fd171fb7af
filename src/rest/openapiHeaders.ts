type HeaderObject = { description: string; schema: { type: 'string' | 'integer'; minimum?: number }; example?: string | number }
type Reference = { $ref: string }

const text = (description: string, example: string): HeaderObject => ({ description, schema: { type: 'string' }, example })
const count = (description: string, example: number): HeaderObject => ({ description, schema: { type: 'integer', minimum: 0 }, example })

/** The shared response headers. Contract: docs/contract.md#response-headers. */
export const headerComponents = {
  'X-Request-Id': text('The identifier of this request in the logs of the service.', 'req_01kabc5m1dexampleexample00'),
  'X-RateLimit-Limit': count('The maximum of requests of a user in a minute.', 600),
  'X-RateLimit-Remaining': count('The remaining requests in this minute.', 599),
  'X-RateLimit-Reset': count('When the count resets, in Unix seconds.', 1_795_176_060),
  RateLimit: text(
    'The same by draft-ietf-httpapi-ratelimit-headers: the remaining requests, and the seconds until the reset.',
    '"default";r=599;t=42',
  ),
  'RateLimit-Policy': text('By the same draft: the quota and its window in seconds.', '"default";q=600;w=60'),
  'X-Concurrency-Limit': count('The maximum of requests of a user in progress at once.', 32),
  'X-Concurrency-Remaining': count('How many more requests may be in progress now.', 31),
  'Retry-After': count('Seconds to wait before a repeat.', 2),
  'WWW-Authenticate': text('The authentication scheme.', 'Bearer realm="atelier"'),
} as const satisfies Record<string, HeaderObject>

export type SharedHeader = keyof typeof headerComponents

const onEveryResponse: SharedHeader[] = [
  'X-Request-Id',
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
  'RateLimit',
  'RateLimit-Policy',
  'X-Concurrency-Limit',
  'X-Concurrency-Remaining',
]

/** The headers of a response: those of every response, the `shared` ones, and its `own` ones with their descriptions. */
export function responseHeaders(shared: SharedHeader[] = [], own: Record<string, string> = {}): Record<string, Reference | HeaderObject> {
  return {
    ...Object.fromEntries([...onEveryResponse, ...shared].map((name) => [name, { $ref: `#/components/headers/${name}` }])),
    ...Object.fromEntries(Object.entries(own).map(([name, description]) => [name, { description, schema: { type: 'string' as const } }])),
  }
}
