import { invalidRequest, type Refusal } from '../../contract/refusals/refusals.ts'

/** One part of a form. Read its chunks before the next part; unread chunks are skipped. */
export type Part = { name: string; chunks: AsyncIterable<Buffer> }

const headerBytesMax = 16_384
const lineEnd = Buffer.from('\r\n')
const headersEnd = Buffer.from('\r\n\r\n')

/**
 * Streams the parts of a `multipart/form-data` body, buffering at most one chunk. A chunk of `source` may be reused once the next one is
 * requested. The text after the last boundary is not read.
 * Refusals: invalid_request for another body, a part without a name, and a part with a transfer encoding. RFC 2046, RFC 7578.
 */
export async function* readMultipart(source: AsyncIterable<Buffer>, boundary: string): AsyncGenerator<Part, void, undefined> {
  const delimiter = Buffer.from(`\r\n--${boundary}`, 'latin1')
  // A body may begin with its first boundary: a line end before it makes it look like the others.
  const reader = makeReader(source, lineEnd)
  try {
    await skip(reader.until(delimiter))
    while ((await reader.peek(2)) !== '--') {
      const name = nameOf(await collect(reader.until(headersEnd), headerBytesMax))
      const chunks = reader.until(delimiter)
      yield { name, chunks }
      await skip(chunks)
    }
  } finally {
    await reader.close()
  }
}

type Reader = {
  /** The bytes before `mark`; also consumes `mark`. */
  until(mark: Buffer): AsyncGenerator<Buffer, void, undefined>
  /** The next bytes, without consuming them. */
  peek(length: number): Promise<string>
  /** Closes the source. */
  close(): Promise<unknown>
}

function makeReader(source: AsyncIterable<Buffer>, start: Buffer): Reader {
  const chunks = source[Symbol.asyncIterator]()
  let unread: Buffer = start

  async function readMore(): Promise<void> {
    const kept = Buffer.from(unread)
    const next = await chunks.next()
    if (next.done) throw malformed('The form is incomplete: its last boundary is missing.')
    unread = kept.length === 0 ? next.value : Buffer.concat([kept, next.value])
  }

  return {
    async *until(mark) {
      let at = unread.indexOf(mark)
      while (at === -1) {
        const certain = unread.subarray(0, unread.length - partialMarkLength(unread, mark))
        unread = unread.subarray(certain.length)
        if (certain.length > 0) yield certain
        await readMore()
        at = unread.indexOf(mark)
      }
      const last = unread.subarray(0, at)
      unread = unread.subarray(at + mark.length)
      if (last.length > 0) yield last
    },
    async peek(length) {
      while (unread.length < length) await readMore()
      return unread.toString('latin1', 0, length)
    },
    close: async () => chunks.return?.(),
  }
}

/** How many bytes at the end may be the start of `mark`. */
function partialMarkLength(bytes: Buffer, mark: Buffer): number {
  const first = mark[0] ?? 0
  let from = bytes.indexOf(first, Math.max(0, bytes.length - mark.length + 1))
  while (from !== -1) {
    const length = bytes.length - from
    if (bytes.subarray(from).equals(mark.subarray(0, length))) return length
    from = bytes.indexOf(first, from + 1)
  }
  return 0
}

async function skip(chunks: AsyncIterable<Buffer>): Promise<void> {
  for await (const _ of chunks);
}

/** All chunks as text with one character per byte. */
async function collect(chunks: AsyncIterable<Buffer>, bytesMax: number): Promise<string> {
  let text = ''
  for await (const chunk of chunks) {
    text += chunk.toString('latin1')
    if (text.length > bytesMax) throw malformed('The headers of a part are too long.')
  }
  return text
}

/** The name in the headers of a part; `block` begins with the rest of the boundary line. */
function nameOf(block: string): string {
  const [afterBoundary = '', ...lines] = block.replaceAll(/\r\n[ \t]+/g, ' ').split('\r\n')
  if (afterBoundary.trim() !== '') throw malformed('A boundary of the form has other text on its line.')
  const headers = new Map(
    lines.map((line) => [line.slice(0, line.indexOf(':')).trim().toLowerCase(), line.slice(line.indexOf(':') + 1).trim()]),
  )
  const encoding = headers.get('content-transfer-encoding')?.toLowerCase() ?? 'binary'
  if (!['7bit', '8bit', 'binary'].includes(encoding)) throw malformed('A part of the form has a transfer encoding. Send it without one.')
  const disposition = headers.get('content-disposition') ?? ''
  // A quoted value, such as a file name, may contain `;` and `=`.
  const parameters = disposition.matchAll(/;\s*([^\s=;"]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s;"]*))/g)
  const names = [...parameters].flatMap(([, key = '', quoted, plain]) => (key.toLowerCase() === 'name' ? [quoted ?? plain ?? ''] : []))
  const [name] = names
  if (!/^form-data\s*;/i.test(disposition) || name === undefined || names.length > 1) throw malformed('A part of the form has no name.')
  return Buffer.from(name.replaceAll(/\\(.)/g, '$1'), 'latin1').toString()
}

function malformed(message: string): Refusal {
  return invalidRequest({ in: 'body', path: [], code: 'bad_format', message })
}
