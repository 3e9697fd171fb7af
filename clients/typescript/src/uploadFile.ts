import { type CallOptions, call } from './call.ts'
import type { Connection } from './connection.ts'
import { TimedOut } from './connectionErrors.ts'
import { errorOf } from './errorOf.ts'
import { type FileSource, uploadInput } from './fileSource.ts'
import type { File } from './openapi.ts'
import { countdown } from './timing.ts'

export type UploadOptions = CallOptions & {
  /**
   * Called with how many bytes of the content are on their way: piece by piece for a path or a stream, from the beginning again when the
   * upload is repeated; once, at the end, for content at hand.
   */
  onUploadProgress?: ((bytesSent: number) => void) | undefined
}

/** A file that generations can use right away. */
export type ReadyFile = File & { state: 'ready' }

/** How long an upload may take, where the call does not say. */
const uploadSeconds = 300
/** How long a file is waited for, where the call does not say. */
const processingSeconds = 300
/** Pause between two looks, where the service names none. */
const pollPauseSeconds = 2

/** Sends a file. Content that can be read again is sent again when that is safe. Throws AtelierError. */
export async function uploadFile(
  connection: Connection,
  source: FileSource,
  { onUploadProgress, ...options }: UploadOptions,
): Promise<File> {
  const timeoutSeconds = Math.max(uploadSeconds, connection.timeoutSeconds)
  let told = 0
  const onSent = (bytes: number) => {
    told = bytes
    onUploadProgress?.(bytes)
  }
  const input = uploadInput(source, onSent)
  const file = await call(connection, 'uploadFile', { timeoutSeconds, attemptSeconds: timeoutSeconds, ...input, ...options })
  if (!('url' in source) && told === 0) onSent(file.sizeBytes)
  return file
}

/**
 * Waits until a file has been processed. Throws AtelierError: for a file that cannot be used the refusal that a start with it would meet,
 * TimedOut when it takes longer.
 */
export async function waitForFile(
  connection: Connection,
  fileId: string,
  { timeoutSeconds = processingSeconds, signal }: CallOptions,
): Promise<ReadyFile> {
  const leftSeconds = countdown(connection.timing, timeoutSeconds)
  for (;;) {
    const file = await call(connection, 'getFile', { path: { id: fileId }, signal })
    if (isReady(file)) return file
    if (file.state === 'failed') throw failureOf(file)
    if (leftSeconds() === 0) throw new TimedOut(`The file ${fileId} was not ready within ${timeoutSeconds} seconds.`, { fileId })
    await connection.timing.pause(Math.min(file.pollAfterSeconds ?? pollPauseSeconds, leftSeconds()), signal)
  }
}

function isReady(file: File): file is ReadyFile {
  return file.state === 'ready'
}

function failureOf({ fileId, error }: File) {
  const unknown = { code: 'file_processing_failed', message: 'The file could not be processed.', retryable: false, details: { fileId } }
  return errorOf({ ...(error ?? unknown), status: 422 })
}
