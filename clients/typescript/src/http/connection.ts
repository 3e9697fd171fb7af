import { AtelierError } from './atelierError.ts'
import { ConnectionFailed } from './connectionErrors.ts'
import { realTiming, type Timing } from './timing.ts'

export type AtelierOptions = {
  /** The URL of the API, with its version: `https://atelier.example/api/v1`. */
  baseUrl: string
  /** An API key: `atl_…`. */
  key: string
  /** Sends the requests. Default: the global `fetch`. */
  fetch?: typeof globalThis.fetch
  /** The maximum number of attempts, including the first one. Default: 6. */
  attemptsMax?: number
  /** The default time limit of a call with all attempts, in seconds. Default: 60. */
  timeoutSeconds?: number
  /** Clock and random numbers, for tests. */
  timing?: Timing
}

/** The settings of every request. */
export type Connection = {
  baseUrl: string
  key: string
  fetch: typeof globalThis.fetch
  attemptsMax: number
  timeoutSeconds: number
  timing: Timing
}

/** Checks the options of a client. Throws a TypeError for an invalid URL or key. */
export function connectionOf({
  baseUrl,
  key,
  fetch,
  attemptsMax = 6,
  timeoutSeconds = 60,
  timing = realTiming,
}: AtelierOptions): Connection {
  const url = new URL(baseUrl)
  if (!/^https?:$/.test(url.protocol) || url.search !== '' || url.hash !== '') throw new TypeError('baseUrl takes an http or https address')
  if (!/^[\x21-\x7e]+$/.test(key)) throw new TypeError('key takes an API key')
  return {
    baseUrl: url.href.replace(/\/+$/, ''),
    key,
    // Called as a global function, because some runtimes reject another receiver.
    fetch: fetch ?? ((input, init) => globalThis.fetch(input, init)),
    attemptsMax,
    timeoutSeconds,
    timing,
  }
}

/**
 * Sends one request and reads its response. Throws errors of `read`, the reason of `signal` when it aborts, and an AtelierError with the
 * code `connection_failed` without a complete response.
 */
export async function exchange<Value>(
  { fetch }: Connection,
  { url, signal, ...init }: RequestInit & { url: string; signal: AbortSignal },
  read: (response: Response) => Promise<Value>,
): Promise<Value> {
  try {
    return await read(await fetch(url, { ...init, signal }))
  } catch (error) {
    throw brokenConnection(error, signal)
  }
}

/** The error of a failed exchange: an AtelierError as thrown, the reason of an aborted signal, or ConnectionFailed. */
export function brokenConnection(error: unknown, signal: AbortSignal): unknown {
  if (error instanceof AtelierError) return error
  return signal.aborted ? signal.reason : new ConnectionFailed(error)
}
