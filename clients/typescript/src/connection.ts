import { AtelierError } from './atelierError.ts'
import { ConnectionFailed } from './connectionErrors.ts'
import { realTiming, type Timing } from './timing.ts'

export type AtelierOptions = {
  /** The address of the API, with its version: `https://atelier.example/api/v1`. */
  baseUrl: string
  /** An API key: `atl_…`. */
  key: string
  /** What sends the requests; the `fetch` of the run time when left out. */
  fetch?: typeof globalThis.fetch
  /** How often a request is sent at most, the first time included; 6 when left out. */
  attemptsMax?: number
  /** How many seconds a call may take with all its attempts, where the call does not say; 60 when left out. */
  timeoutSeconds?: number
  /** Time and chance, for tests. */
  timing?: Timing
}

/** What every request needs. */
export type Connection = {
  baseUrl: string
  key: string
  fetch: typeof globalThis.fetch
  attemptsMax: number
  timeoutSeconds: number
  timing: Timing
}

/** Reads the options of a client. Throws a TypeError for an address or a key that cannot be one. */
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
    // Called without a receiver, since the fetch of some run times takes no other.
    fetch: fetch ?? ((input, init) => globalThis.fetch(input, init)),
    attemptsMax,
    timeoutSeconds,
    timing,
  }
}

/**
 * Sends one request and reads its answer. Throws what `read` throws, the reason of `signal` when it aborts, and an AtelierError with the
 * code `connection_failed` when no answer comes, or only a part of one.
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

/** What an exchange that broke is told as: what was thrown on purpose, the reason of a signal that has aborted, or a ConnectionFailed. */
export function brokenConnection(error: unknown, signal: AbortSignal): unknown {
  if (error instanceof AtelierError) return error
  return signal.aborted ? signal.reason : new ConnectionFailed(error)
}
