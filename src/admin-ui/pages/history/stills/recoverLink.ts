import { FileRefused } from './readFile.ts'

const waitSecondsMax = 60
const waitSeconds = 1
const passing = new Set([408, 429, 502, 503, 504])
const ended = new Set([401, 403, 404, 410])

type Recovery = {
  /** Why the file was not shown. */
  error: unknown
  /** Asks for a new link. False when there is none. */
  renewLink(): Promise<boolean>
  wait?(milliseconds: number, signal: AbortSignal): Promise<void>
  signal: AbortSignal
}

/**
 * Prepares another request of a file that was refused: waits for `Retry-After` if the refusal passes, and renews a link that has ended.
 * False when another request would fail in the same way.
 */
export async function recoverLink(path: string, { error, renewLink, wait = pause, signal }: Recovery): Promise<boolean> {
  if (!(error instanceof FileRefused)) return false
  const { status, retryAfterSeconds = waitSeconds } = error.status === undefined ? await refusalOf(path, signal) : error
  if (status !== undefined && ended.has(status)) return await renewLink()
  if (status !== undefined && !passing.has(status)) return false
  if (retryAfterSeconds > waitSecondsMax) return false
  // Rows that were refused together do not ask together again.
  await wait(retryAfterSeconds * 1000 * (1 + Math.random() / 2), signal)
  return true
}

/** Asks the server why a picture or video was refused. Without a status when it is not refused any more. */
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
