import { AtelierError } from '../errors/atelierError.ts'
import { readError } from '../http/answer.ts'
import { type CallOptions, call } from '../http/call.ts'
import { brokenConnection, type Connection, exchange } from '../http/connection.ts'
import { idleTimeout } from '../http/idleTimeout.ts'
import { withRetries } from '../http/retry.ts'
import { countdown } from '../http/timing.ts'
import type { Generation, GenerationResult } from '../openapi.ts'
import { writeWholeFile } from './writeWholeFile.ts'

const headersSeconds = 30
/** The time limit of a download to a file, which also ends when nothing arrives for a while. */
const fileSecondsMax = 3600

export type DownloadOptions = Pick<CallOptions, 'signal' | 'timeoutSeconds' | 'attemptsMax'>

/**
 * Downloads the file of a ready generation, as a response with an unread body. An expired link is renewed once. The key is not sent,
 * because links need none. Throws AtelierError, and a TypeError for a generation without a file.
 */
export function download(connection: Connection, generation: Generation, options: DownloadOptions): Promise<Response> {
  return withRenewedLink(connection, generation, options, ({ url }) => open(connection, url, options))
}

/** Like {@link download}, into a file that appears when it is complete. A broken download is repeated. Returns the path. */
export async function downloadTo(connection: Connection, generation: Generation, path: string, options: DownloadOptions): Promise<string> {
  const totalSeconds = options.timeoutSeconds ?? fileSecondsMax
  const leftSeconds = countdown(connection.timing, totalSeconds)
  const write = async (link: Link, signal: AbortSignal) => {
    const response = await fetched(connection, link.url, signal)
    // Errors of the file system are thrown as they are.
    await writeWholeFile(path, chunksOf(response, link, { signal, leftSeconds }), { signal })
  }
  const limits = { ...retryOptions(connection, options), totalSeconds, attemptSeconds: totalSeconds }
  await withRenewedLink(connection, generation, options, (link) => withRetries((signal) => write(link, signal), limits))
  return path
}

type Link = { url: string; sizeBytes: GenerationResult['sizeBytes'] }

async function withRenewedLink<Value>(
  connection: Connection,
  generation: Generation,
  options: DownloadOptions,
  fetchLink: (link: Link) => Promise<Value>,
): Promise<Value> {
  try {
    return await fetchLink(linkOf(generation))
  } catch (error) {
    if (!(error instanceof AtelierError && error.status === 404)) throw error
    const renewed = await call(connection, 'getGeneration', { path: { id: generation.generationId }, ...options })
    return await fetchLink(linkOf(renewed))
  }
}

function linkOf({ generationId, result }: Generation): Link {
  const url = result?.url
  if (url === undefined || url === null) throw new TypeError(`the generation ${generationId} has no file`)
  return { url, sizeBytes: result?.sizeBytes }
}

/** The time limit ends with the headers. Reading the body has no limit. */
function open(connection: Connection, url: string, options: DownloadOptions): Promise<Response> {
  const totalSeconds = options.timeoutSeconds ?? connection.timeoutSeconds
  return withRetries((signal) => fetched(connection, url, signal), {
    ...retryOptions(connection, options),
    totalSeconds,
    attemptSeconds: headersSeconds,
  })
}

function retryOptions({ timing, attemptsMax }: Connection, options: DownloadOptions) {
  return { timing, attemptsMax: options.attemptsMax ?? attemptsMax, repeatable: true, signal: options.signal }
}

function fetched({ fetch }: Connection, url: string, signal: AbortSignal): Promise<Response> {
  return exchange({ fetch, where: whereOf(url) }, { url, signal }, async (response) => {
    if (response.ok) return response
    throw await readError(response)
  })
}

/** Errors name the host of a link only, because the rest of it is a secret. */
function whereOf(url: string): string {
  return URL.canParse(url) ? ` at ${new URL(url).origin}` : ''
}

type Reading = { signal: AbortSignal; leftSeconds: () => number }

/** Yields the whole body. Throws AtelierError for a broken, incomplete or idle one. */
async function* chunksOf(
  { body }: Response,
  { url, sizeBytes }: Link,
  { signal, leftSeconds }: Reading,
): AsyncGenerator<Uint8Array, void, undefined> {
  const limit = idleTimeout(leftSeconds)
  const either = AbortSignal.any([signal, limit.signal])
  const reader = body?.getReader()
  const stop = () => void reader?.cancel().catch(() => undefined)
  either.addEventListener('abort', stop)
  let size = 0
  try {
    for (;;) {
      const next = reader && (await limit.during(reader.read()))
      either.throwIfAborted()
      if (next === undefined || next.done) break
      yield next.value
      size += next.value.length
    }
    if (typeof sizeBytes === 'number' && size !== sizeBytes) throw new Error(`${size} of ${sizeBytes} bytes arrived`)
  } catch (error) {
    throw brokenConnection(error, either, whereOf(url))
  } finally {
    stop()
  }
}
