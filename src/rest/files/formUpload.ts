import { z } from 'zod'
import { mimeType } from '../../contract/file.ts'
import { parseOrRefuse } from '../../contract/issues.ts'
import { requirePlainText } from '../../contract/plainText.ts'
import { invalidRequest } from '../../contract/refusals.ts'
import type { IncomingContent } from '../../domain/incomingContent.ts'
import { readMultipart } from './readMultipart.ts'

const fields = z.object({ mimeType })
const shownNameCharacters = 100

/**
 * The content of a form with exactly one part `file`, and at most one part `mimeType` before or behind it. The form is read as the
 * content is.
 * Refusals, while reading: invalid_request.
 */
export function formUpload(
  source: AsyncIterable<Buffer>,
  { boundary, signal }: { boundary: string; signal: AbortSignal },
): IncomingContent {
  let declared: string | undefined

  async function* chunks(): AsyncGenerator<Buffer, void, undefined> {
    const seen = new Set<string>()
    for await (const part of readMultipart(source, boundary)) {
      refuseUnless(part.name === 'file' || part.name === 'mimeType', part.name, 'unknown_field', 'There is no such part here.')
      refuseUnless(!seen.has(part.name), part.name, 'conflict', 'This part may stand once.')
      seen.add(part.name)
      if (part.name === 'file') yield* part.chunks
      else declared = await readMimeType(part.chunks)
    }
    refuseUnless(seen.has('file'), 'file', 'required', 'The form needs a part of this name.')
  }

  return { source: { encoding: 'none', chunks: chunks() }, mimeType: () => declared, signal }
}

function refuseUnless(holds: boolean, name: string, code: 'unknown_field' | 'conflict' | 'required', message: string): void {
  if (!holds) throw invalidRequest({ in: 'body', path: [name.slice(0, shownNameCharacters).toWellFormed()], code, message })
}

const declaredBytesMax = 4096

async function readMimeType(chunks: AsyncIterable<Buffer>): Promise<string> {
  let bytes: Buffer = Buffer.alloc(0)
  for await (const chunk of chunks) {
    bytes = Buffer.concat([bytes, chunk])
    if (bytes.length > declaredBytesMax) break
  }
  const sent = { mimeType: bytes.toString() }
  requirePlainText(sent)
  return parseOrRefuse(fields, sent, 'body').mimeType
}
