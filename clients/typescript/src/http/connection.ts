import { AtelierError } from '../errors/atelierError.ts'
import { ConnectionFailedError } from '../errors/connectionErrors.ts'
import { type Environment, serviceAddress } from './serviceAddress.ts'
import { realTiming, type Timing } from './timing.ts'

export type AtelierOptions = {
  /** The address of the service, with or without `/api/v1`. Default: ATELIER_URL, then `http://127.0.0.1:8080`. */
  baseUrl?: string | URL | undefined
  /** An API key: `atl_…`. Default: ATELIER_KEY. */
  key?: string | undefined
  /** Sends the requests. Default: the global `fetch`. */
  fetch?: typeof globalThis.fetch | undefined
  /** Headers of every request to the API. */
  headers?: Readonly<Record<string, string>> | undefined
  /** The maximum number of attempts, including the first one. Default: 6. */
  attemptsMax?: number | undefined
  /** The default time limit of a call with all attempts, in seconds. Default: 60. */
  timeoutSeconds?: number | undefined
  /** Where ATELIER_URL and ATELIER_KEY are read. Default: `process.env`, where there is one. */
  environment?: Environment | undefined
  /** Clock and random numbers, for tests. */
  timing?: Timing | undefined
}

/** The settings of every request. */
export type Connection = {
  baseUrl: string
  /** For messages: the address and where it is from. */
  where: string
  key: string
  fetch: typeof globalThis.fetch
  headers: Readonly<Record<string, string>>
  attemptsMax: number
  timeoutSeconds: number
  timing: Timing
}

/** Checks the options of a client. Throws a TypeError for a missing key and for an invalid URL or key. */
export function connectionOf(options: AtelierOptions): Connection {
  const { environment = processEnvironment(), headers = {}, attemptsMax = 6, timeoutSeconds = 60, timing = realTiming } = options
  const key = options.key || environment['ATELIER_KEY']?.trim()
  if (!key) throw new TypeError('There is no API key: set ATELIER_KEY, or pass `key`.')
  if (!/^[\x21-\x7e]+$/.test(key)) throw new TypeError('The API key contains invalid characters.')
  // Called as a global function, because some runtimes reject another receiver.
  const { fetch = (input, init) => globalThis.fetch(input, init) } = options
  return { ...serviceAddress(options.baseUrl, environment), key, fetch, headers, attemptsMax, timeoutSeconds, timing }
}

function processEnvironment(): Environment {
  return (globalThis as { process?: { env?: Environment } }).process?.env ?? {}
}

/**
 * Sends one request and reads its response. Throws errors of `read`, the reason of `signal` when it aborts, and an AtelierError with the
 * code `connection_failed` without a complete response.
 */
export async function exchange<Value>(
  { fetch, where }: Pick<Connection, 'fetch' | 'where'>,
  { url, signal, ...init }: RequestInit & { url: string; signal: AbortSignal },
  read: (response: Response) => Promise<Value>,
): Promise<Value> {
  try {
    return await read(await fetch(url, { ...init, signal }))
  } catch (error) {
    throw brokenConnection(error, signal, where)
  }
}

/** The error of a failed exchange: an AtelierError as thrown, the reason of an aborted signal, or ConnectionFailedError. */
export function brokenConnection(error: unknown, signal: AbortSignal, where: string): unknown {
  if (error instanceof AtelierError) return error
  return signal.aborted ? signal.reason : new ConnectionFailedError(error, where)
}
