import { type CallOptions, call } from './call.ts'
import type { Connection } from './connection.ts'
import { TimedOut } from './connectionErrors.ts'
import { errorOf } from './errorOf.ts'
import { type FileSource, uploadInput } from './fileSource.ts'
import type { File } from './openapi.ts'
import { countdown } from './timing.ts'

export type UploadOptions = CallOptions & {
  /**
   * Called with the number of sent bytes: repeatedly for a path or a stream, from zero again when the upload is repeated; once at the end
   * for content in memory.
   */
  onUploadProgress?: ((bytesSent: number) => void) | undefined
}

/** A file that can be used as an input. */
export type ReadyFile = File & { state: 'ready' }

/** The default time limit of an upload. */
const uploadSeconds = 300
/** The default time limit of waiting for a file. */
const processingSeconds = 300
/** The polling interval when the service sends none. */
const pollPauseSeconds = 2

/** Uploads a file. Content that can be read again is sent again when this is safe. Throws AtelierError. */
export async function uploadFile(
  connection: Connection,
  source: FileSource,
  { onUploadProgress, ...options }: UploadOptions,
): Promise<File> {
  const timeoutSeconds = Math.max(uploadSeconds, connection.timeoutSeconds)
  let sentBytes = 0
  const onSent = (bytes: number) => {
    sentBytes = bytes
    onUploadProgress?.(bytes)
  }
  const input = uploadInput(source, onSent)
  const file = await call(connection, 'uploadFile', { timeoutSeconds, attemptSeconds: timeoutSeconds, ...input, ...options })
  if (!('url' in source) && sentBytes === 0) onSent(file.sizeBytes)
  return file
}

/**
 * Waits until a file is processed. Throws AtelierError: for an unusable file the refusal of a start with it, TimedOut after the time
 * limit.
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
