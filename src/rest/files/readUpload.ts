import type { FastifyRequest } from 'fastify'
import { limits } from '../../contract/limits.ts'
import { invalidRequest, Refusal } from '../../contract/refusals/refusals.ts'
import type { FileRequestBody } from '../../contract/shapes/file.ts'
import type { IncomingContent } from '../../domain/incomingContent.ts'
import { base64BodyBytesMax, bodyBytes, requireAnnouncedSize } from '../../transport/bodyBytes.ts'
import { contentTypeOf, requireIdentityEncoding } from '../../transport/readJson.ts'
import { readFormUpload } from './readFormUpload.ts'
import { readJsonUpload } from './readJsonUpload.ts'

/** A link or small content from JSON, or a content stream. */
export type UploadBody = FileRequestBody | { content: IncomingContent }

/** The size limits of bodies: the largest file with boundaries and headers, or in base64. */
const bodyBytesMax = {
  'multipart/form-data': limits.fileBytes + limits.requestBodyBytes,
  'application/json': base64BodyBytesMax,
} as const

type UploadType = keyof typeof bodyBytesMax

const allowed = Object.keys(bodyBytesMax)

/**
 * Checks the headers of an upload, before its body is read.
 * Refusals: unsupported_content_type, payload_too_large, invalid_request for a form without a boundary.
 * Contract: docs/contract.md#upload-a-file.
 */
export function requireUploadType(request: FastifyRequest): void {
  requireIdentityEncoding(request, allowed)
  const type = uploadTypeOf(request)
  if (type === 'multipart/form-data') boundaryOf(request)
  requireAnnouncedSize(request, bodyBytesMax[type])
}

/** Reads an upload; a form and large base64 are streamed. Refusals: those of readJsonUpload and readFormUpload. */
export async function readUpload(request: FastifyRequest, signal: AbortSignal): Promise<UploadBody> {
  const type = uploadTypeOf(request)
  const bytes = bodyBytes(request.raw, bodyBytesMax[type])
  if (type === 'application/json') return await readJsonUpload(bytes, signal)
  return { content: readFormUpload(bytes, { boundary: boundaryOf(request), signal }) }
}

function uploadTypeOf(request: FastifyRequest): UploadType {
  const { type, charset } = contentTypeOf(request)
  const isUtf8 = charset === undefined || charset === 'utf-8' || charset === 'utf8'
  if (isUtf8 && (type === 'multipart/form-data' || type === 'application/json')) return type
  throw new Refusal('unsupported_content_type', { received: request.headers['content-type'] ?? null, allowed })
}

function boundaryOf({ headers }: FastifyRequest): string {
  const [, quoted, plain] = /;\s*boundary\s*=\s*(?:"([^"]*)"|([^\s;"]+))/i.exec(headers['content-type'] ?? '') ?? []
  const boundary = quoted ?? plain ?? ''
  if (/^[\w'()+,./:=? -]{0,69}[\w'()+,./:=?-]$/.test(boundary)) return boundary
  const message = 'A form requires a boundary of 1 to 70 characters.'
  throw invalidRequest({ in: 'header', path: ['Content-Type'], code: boundary === '' ? 'required' : 'bad_format', message })
}
