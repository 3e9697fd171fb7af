import { z } from 'zod'
import { parseOrRefuse } from '../../contract/refusals/issues.ts'
import { withNearestName } from '../../contract/refusals/nearestName.ts'
import { requirePlainText } from '../../contract/refusals/plainText.ts'
import { type Issue, invalidRequest, type Refusal } from '../../contract/refusals/refusals.ts'
import { mimeType } from '../../contract/shapes/file.ts'
import type { IncomingContent } from '../../domain/incomingContent.ts'
import { readMultipart } from './readMultipart.ts'

const fields = z.object({ mimeType })
const shownNameCharacters = 100

/**
 * The content of a form with exactly one part `file`, and at most one part `mimeType` before or after it. Streams the form.
 * Refusals, while reading: invalid_request.
 */
export function readFormUpload(
  source: AsyncIterable<Buffer>,
  { boundary, signal }: { boundary: string; signal: AbortSignal },
): IncomingContent {
  let declared: string | undefined

  async function* chunks(): AsyncGenerator<Buffer, void, undefined> {
    const seen = new Set<string>()
    for await (const part of readMultipart(source, boundary)) {
      if (!parts.includes(part.name)) throw unknownPart(part.name)
      refuseUnless(!seen.has(part.name), part.name, 'conflict', 'The form may have this part only once.')
      seen.add(part.name)
      if (part.name === 'file') yield* part.chunks
      else declared = await readMimeType(part.chunks)
    }
    refuseUnless(seen.has('file'), 'file', 'required', 'The form requires a part with this name.')
  }

  return { source: { encoding: 'none', chunks: chunks() }, mimeType: () => declared, signal }
}

const parts = ['file', 'mimeType']

function unknownPart(name: string): Refusal {
  const issue: Issue = { in: 'body', path: [shown(name)], code: 'unknown_field', message: 'Unknown part.' }
  return invalidRequest(withNearestName(issue, name, parts))
}

function refuseUnless(holds: boolean, name: string, code: 'conflict' | 'required', message: string): void {
  if (!holds) throw invalidRequest({ in: 'body', path: [shown(name)], code, message })
}

function shown(name: string): string {
  return name.slice(0, shownNameCharacters).toWellFormed()
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
