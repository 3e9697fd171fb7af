import { TimedOutError } from '../errors/connectionErrors.ts'
import { errorOf } from '../errors/errorOf.ts'
import { type CallOptions, call, callWithResponse } from '../http/call.ts'
import type { Connection } from '../http/connection.ts'
import { ResponsePromise, type WithResponse } from '../http/responsePromise.ts'
import { countdown } from '../http/timing.ts'
import type { File } from '../openapi.ts'
import { type FileSource, uploadInput } from './fileSource.ts'

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
export function uploadFile(connection: Connection, source: FileSource, options: UploadOptions): ResponsePromise<File> {
  return new ResponsePromise(upload(connection, source, options))
}

async function upload(
  connection: Connection,
  source: FileSource,
  { onUploadProgress, ...options }: UploadOptions,
): Promise<WithResponse<File>> {
  const timeoutSeconds = options.timeoutSeconds ?? Math.max(uploadSeconds, connection.timeoutSeconds)
  let sentBytes = 0
  const onSent = (bytes: number) => {
    sentBytes = bytes
    onUploadProgress?.(bytes)
  }
  const input = uploadInput(source, onSent)
  const answer = await callWithResponse(connection, 'uploadFile', { ...options, timeoutSeconds, attemptSeconds: timeoutSeconds, ...input })
  if (!('url' in source) && sentBytes === 0) onSent(answer.data.sizeBytes)
  return answer
}

/**
 * Waits until a file is processed. Throws AtelierError: for an unusable file the refusal of a start with it, TimedOutError after the time
 * limit.
 */
export async function waitForFile(
  connection: Connection,
  fileId: string,
  { timeoutSeconds = processingSeconds, ...options }: CallOptions,
): Promise<ReadyFile> {
  const leftSeconds = countdown(connection.timing, timeoutSeconds)
  for (;;) {
    const file = await call(connection, 'getFile', { path: { id: fileId }, ...options })
    if (isReady(file)) return file
    if (file.state === 'failed') throw failureOf(file)
    if (leftSeconds() === 0) throw new TimedOutError(`The file ${fileId} was not ready within ${timeoutSeconds} seconds.`, { fileId })
    await connection.timing.pause(Math.min(file.pollAfterSeconds ?? pollPauseSeconds, leftSeconds()), options.signal)
  }
}

function isReady(file: File): file is ReadyFile {
  return file.state === 'ready'
}

function failureOf({ fileId, error }: File) {
  const unknown = { code: 'file_processing_failed', message: 'The file could not be processed.', retryable: false, details: { fileId } }
  return errorOf({ ...(error ?? unknown), status: 422 })
}
