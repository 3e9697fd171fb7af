import type { Client } from 'urql'
import { type Failure, failureOf, unreachable } from '../../api/failure.ts'
import { UploadAddressMutation } from './playgroundQueries.ts'
import { describeWrongType, isOtherMedium } from './wrongType.ts'

/** The limit of the service, checked before the upload. */
const bytesMax = 26_214_400

type Upload = { teamId: string; file: File; mimeTypes: readonly string[]; signal: AbortSignal; onProgress(share: number): void }

/** Uploads a file as an input. Returns its identifier, or why it was refused. `mimeTypes`: what the field takes. */
export async function uploadInput(client: Client, { mimeTypes, ...upload }: Upload): Promise<{ fileId: string } | Failure> {
  const { teamId, file } = upload
  if (isOtherMedium(file.type, mimeTypes)) return refusedHere(describeWrongType(file.type, mimeTypes) ?? '')
  if (file.size > bytesMax) return refusedHere('The file is larger than 25 MB.')
  const { data, error } = await client.mutation(UploadAddressMutation, { input: { teamId } }).toPromise()
  if (error) return failureOf(error)
  if (!data) return unreachable
  const { uploadUrl, fileId } = data.createUploadAddress
  // Only the path: the page may send to its own origin alone.
  const { status, body } = await put(new URL(uploadUrl).pathname, upload)
  if (status === 201) {
    const wrong = describeWrongType(mimeTypeIn(body), mimeTypes)
    return wrong === undefined ? { fileId } : refusedHere(wrong)
  }
  return status === 0
    ? unreachable
    : { ...refusedHere('The file was refused.'), ...errorIn(body), retryable: status >= 500 || status === 429 }
}

/** `fetch` reports no progress of an upload. */
function put(path: string, { file, signal, onProgress }: Omit<Upload, 'teamId' | 'mimeTypes'>): Promise<{ status: number; body: string }> {
  return new Promise((resolve) => {
    const request = new XMLHttpRequest()
    request.open('PUT', path)
    request.upload.onprogress = ({ loaded, total }) => onProgress(total === 0 ? 0 : loaded / total)
    request.onloadend = () => resolve({ status: request.status, body: request.responseText })
    signal.addEventListener('abort', () => request.abort(), { once: true })
    request.send(file)
  })
}

function refusedHere(message: string): Failure {
  return { code: 'file_refused', message, requestId: undefined, retryable: false, details: {} }
}

/** The type that the service found in the content. */
function mimeTypeIn(body: string): string | undefined {
  const { mimeType } = JSON.parse(body) as { mimeType?: unknown }
  return typeof mimeType === 'string' ? mimeType : undefined
}

/** The code and the message of a refusal. */
function errorIn(body: string): Partial<Pick<Failure, 'code' | 'message'>> {
  try {
    const { code, message } = (JSON.parse(body) as { error: { code: unknown; message: unknown } }).error
    return typeof code === 'string' && typeof message === 'string' ? { code, message } : {}
  } catch {
    return {}
  }
}
