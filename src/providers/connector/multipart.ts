import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import type { ProviderInput } from '../provider.ts'

/** One field of a form: text, or a file that is streamed while it is sent. */
export type FormPart =
  | { name: string; value: string }
  | { name: string; fileName: string; input: Pick<ProviderInput, 'mimeType' | 'sizeBytes' | 'open'> }

/** A form that can be sent once. */
export type Form = { headers: { 'content-type': string; 'content-length': string }; body: Readable }

/**
 * Encodes the parts as `multipart/form-data` with a known length. The boundary derives from `seed`, so a repeat has the same bytes.
 * `seed` must be random: a boundary must not occur in a file.
 */
export function multipart(parts: readonly FormPart[], seed: string): Form {
  const boundary = `atelier-${createHash('sha256').update(seed).digest('hex').slice(0, 40)}`
  const end = `--${boundary}--\r\n`
  const heads = parts.map((part) => `--${boundary}\r\n${headOf(part)}\r\n\r\n`)
  const bytes = parts.map((part, index) => Buffer.byteLength(heads[index] ?? '') + sizeOf(part) + 2)
  const total = bytes.reduce((sum, each) => sum + each, Buffer.byteLength(end))
  return {
    headers: { 'content-type': `multipart/form-data; boundary=${boundary}`, 'content-length': String(total) },
    body: Readable.from(written(parts, heads, end), { objectMode: false }),
  }
}

function headOf(part: FormPart): string {
  const head = `content-disposition: form-data; name="${escaped(part.name)}"`
  return 'input' in part ? `${head}; filename="${escaped(part.fileName)}"\r\ncontent-type: ${part.input.mimeType}` : head
}

/** Escapes names as browsers do (HTML, multipart/form-data). Names inside an object parameter come from callers. */
function escaped(name: string): string {
  return name.replaceAll('"', '%22').replaceAll('\r', '%0D').replaceAll('\n', '%0A')
}

function sizeOf(part: FormPart): number {
  return 'input' in part ? part.input.sizeBytes : Buffer.byteLength(part.value)
}

async function* written(parts: readonly FormPart[], heads: readonly string[], end: string): AsyncGenerator<Buffer> {
  for (const [index, part] of parts.entries()) {
    yield Buffer.from(heads[index] ?? '')
    if ('input' in part) yield* (await part.input.open()) as AsyncIterable<Buffer>
    else yield Buffer.from(part.value)
    yield Buffer.from('\r\n')
  }
  yield Buffer.from(end)
}
