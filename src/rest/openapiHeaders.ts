/** Headers of every response, in words. Spec: Limits. */
export const limitHeaderDescriptions: Record<string, string> = {
  'X-Request-Id': 'Names this request in the logs of the service.',
  'X-RateLimit-Limit': 'Requests that a user may make in a minute.',
  'X-RateLimit-Remaining': 'Requests left in this minute.',
  'X-RateLimit-Reset': 'When the count starts anew, in Unix seconds.',
}

const whole = new Set(['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset', 'Retry-After'])

/** Response headers as the document describes them. */
export function headerObjects(descriptions: Record<string, string>): Record<string, { description: string; schema: { type: 'string' | 'integer' } }> {
  return Object.fromEntries(
    Object.entries(descriptions).map(([name, description]) => [name, { description, schema: { type: whole.has(name) ? 'integer' : 'string' } }]),
  )
}
