import { createHash } from 'node:crypto'
import type { Answer } from './endpoint.ts'

/** A 200 with a strong ETag of the body, or a 304 when the client has the same ETag. Contract: docs/contract.md#list-families. */
export function withEtag(body: unknown, ifNoneMatch: string | undefined): Answer {
  const etag = `"${createHash('sha256').update(JSON.stringify(body)).digest('base64url')}"`
  const known = ifNoneMatch?.split(',').map((each) => each.trim().replace(/^W\//, ''))
  if (known?.includes(etag) || ifNoneMatch?.trim() === '*') return { status: 304, body: undefined, headers: { ETag: etag } }
  return { status: 200, body, headers: { ETag: etag } }
}
