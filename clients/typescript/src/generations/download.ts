import { readError } from './answer.ts'
import { AtelierError } from './atelierError.ts'
import { type CallOptions, call } from './call.ts'
import { type Connection, exchange } from './connection.ts'
import type { Generation } from './openapi.ts'
import { withRetries } from './retry.ts'

const headersSeconds = 30

/**
 * Downloads the file of a ready generation, as a response with an unread body. An expired link is renewed once. The key is not sent,
 * because links need none. Throws AtelierError, and a TypeError for a generation without a file.
 */
export async function download(connection: Connection, generation: Generation, options: CallOptions): Promise<Response> {
  try {
    return await open(connection, linkOf(generation), options)
  } catch (error) {
    if (!(error instanceof AtelierError && error.status === 404)) throw error
    const renewed = await call(connection, 'getGeneration', { path: { id: generation.generationId }, ...options })
    return await open(connection, linkOf(renewed), options)
  }
}

function linkOf({ generationId, result }: Generation): string {
  const url = result?.url
  if (url === undefined || url === null) throw new TypeError(`the generation ${generationId} has no file`)
  return url
}

/** The time limit ends with the headers. Reading the body has no limit. */
function open(connection: Connection, url: string, { signal, timeoutSeconds }: CallOptions): Promise<Response> {
  const send = (attempt: AbortSignal) =>
    exchange(connection, { url, signal: attempt }, async (response) => {
      if (response.ok) return response
      throw await readError(response)
    })
  return withRetries(send, {
    timing: connection.timing,
    attemptsMax: connection.attemptsMax,
    totalSeconds: timeoutSeconds ?? connection.timeoutSeconds,
    attemptSeconds: headersSeconds,
    repeatable: true,
    signal,
  })
}
