type HeaderObject = { description: string; schema: { type: 'string' | 'integer'; minimum?: number }; example?: string | number }
type Reference = { $ref: string }

const text = (description: string, example: string): HeaderObject => ({ description, schema: { type: 'string' }, example })
const count = (description: string, example: number): HeaderObject => ({ description, schema: { type: 'integer', minimum: 0 }, example })

/** Headers that several answers carry. Contract: docs/contract.md#response-headers. */
export const headerComponents = {
  'X-Request-Id': text('Names this request in the logs of the service.', 'req_01kabc5m1dexampleexample00'),
  'X-RateLimit-Limit': count('Requests that a user may make in a minute.', 600),
  'X-RateLimit-Remaining': count('Requests left in this minute.', 599),
  'X-RateLimit-Reset': count('When the count starts anew, in Unix seconds.', 1_795_176_060),
  RateLimit: text('The same by draft-ietf-httpapi-ratelimit-headers: what is left, and for how many seconds.', '"default";r=599;t=42'),
  'RateLimit-Policy': text('The same draft: the quota and its window in seconds.', '"default";q=600;w=60'),
  'X-Concurrency-Limit': count('Requests that a user may have in progress at once.', 32),
  'X-Concurrency-Remaining': count('How many more may be in progress now.', 31),
  'Retry-After': count('Seconds to wait before a repeat.', 2),
  'WWW-Authenticate': text('How to authenticate.', 'Bearer realm="atelier"'),
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

/** The headers of an answer: those of every answer, `shared` ones, and the answer's `own` with what they say. */
export function responseHeaders(shared: SharedHeader[] = [], own: Record<string, string> = {}): Record<string, Reference | HeaderObject> {
  return {
    ...Object.fromEntries([...onEveryResponse, ...shared].map((name) => [name, { $ref: `#/components/headers/${name}` }])),
    ...Object.fromEntries(Object.entries(own).map(([name, description]) => [name, { description, schema: { type: 'string' as const } }])),
  }
}
