import type { Given } from './given.ts'
import type { Uploaded } from './inputs.ts'
import { shellWords } from './shellWords.ts'

const secret = new Set(['key', 'key-file', 'idempotency-key'])

/**
 * The command that goes on with a start whose answer was lost: the same words, with the identifiers of what was uploaded in place of
 * paths, since another upload would make it another request; and never the key of the API.
 */
export function repeatCommand(given: Given, { uploaded, idempotencyKey }: { uploaded: Uploaded; idempotencyKey: string }): string {
  const options = given.tokens.flatMap(({ option, value }) => {
    if (option === undefined || secret.has(option)) return []
    return value === undefined ? [`--${option}`] : [`--${option}=${uploaded.get(value) ?? value}`]
  })
  return shellWords(['atelier-client', 'run', ...options, `--idempotency-key=${idempotencyKey}`, '--', ...given.arguments])
}

/** The command that waits for a generation, and saves what this one was to save. */
export function waitCommand(given: Given, generationId: string): string {
  const output = given.text('output')
  return shellWords(['atelier-client', 'wait', generationId, ...(output === undefined ? [] : ['-o', output])])
}
