import { FileRefused } from './readFile.ts'

const waitSecondsMax = 60
/** Without `Retry-After`. */
const waitSeconds = 1
const temporaryStatuses = new Set([408, 429, 502, 503, 504])
/** A link that has ended, or that the server does not accept. */
const endedStatuses = new Set([401, 403, 404, 410])

type Recovery = {
  /** Why the file was not shown. */
  error: unknown
  /** Asks for a new link. False when there is none. */
  renewLink(): Promise<boolean>
  wait?(milliseconds: number, signal: AbortSignal): Promise<void>
  signal: AbortSignal
}

/**
 * Prepares another request of a file that was refused: waits for `Retry-After` if the refusal is temporary, and renews a link that has
 * ended. Returns false if another request would fail in the same way.
 */
export async function recoverLink(path: string, { error, renewLink, wait = pause, signal }: Recovery): Promise<boolean> {
  if (!(error instanceof FileRefused)) return false
  const { status, retryAfterSeconds = waitSeconds } = error.status === undefined ? await refusalOf(path, signal) : error
  if (status !== undefined && endedStatuses.has(status)) return await renewLink()
  if (status !== undefined && !temporaryStatuses.has(status)) return false
  if (retryAfterSeconds > waitSecondsMax) return false
  // Spreads the requests of rows that were refused together.
  await wait(retryAfterSeconds * 1000 * (1 + Math.random() / 2), signal)
  return true
}

/** Asks the server why a picture or video was refused. Returns no status if the server accepts the request now. */
async function refusalOf(path: string, signal: AbortSignal): Promise<FileRefused> {
  const response = await fetch(path, { method: 'HEAD', signal })
  return response.ok ? new FileRefused() : new FileRefused(response)
}

function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, milliseconds)
    signal.addEventListener(
      'abort',
      () => {
        clearTimeout(timer)
        reject(signal.reason as Error)
      },
      { once: true },
    )
  })
}
