/** A file as a part of a form. */
export type FormFile = {
  name: string
  mimeType: string | undefined
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>
  /** Called after each chunk with the number of sent bytes. */
  onSent(bytes: number): void
}

export type MultipartForm = {
  body: ReadableStream<Uint8Array>
  headers: Record<string, string>
  /** Ends the reading of the file. Always call it, because some runtimes continue to read a body after its request has ended. */
  release(): void
}

/** A form with one file, as a stream that reads the file only as fast as it is sent. */
export function multipartStream({ name, mimeType, chunks, onSent }: FormFile): MultipartForm {
  const boundary = `atelier-${crypto.randomUUID()}`
  const pieces = formPieces()

  async function* formPieces(): AsyncGenerator<Uint8Array, void, undefined> {
    const encode = (text: string) => new TextEncoder().encode(text)
    if (mimeType !== undefined) yield encode(`--${boundary}\r\nContent-Disposition: form-data; name="mimeType"\r\n\r\n${mimeType}\r\n`)
    yield encode(
      `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="${escaped(name)}"\r\nContent-Type: application/octet-stream\r\n\r\n`,
    )
    let bytes = 0
    for await (const chunk of chunks) {
      yield chunk
      onSent((bytes += chunk.length))
    }
    yield encode(`\r\n--${boundary}--\r\n`)
  }

  let isOver = false
  const release = () => {
    isOver = true
    pieces.return().catch(() => undefined)
  }
  const body = new ReadableStream<Uint8Array>({
    pull: async (controller) => {
      const { done, value } = await pieces.next()
      if (isOver) controller.error(new Error('the upload is over'))
      else if (done) controller.close()
      else controller.enqueue(value)
    },
    cancel: release,
  })
  return { body, headers: { 'Content-Type': `multipart/form-data; boundary=${boundary}` }, release }
}

/** Escapes file names like browsers do. */
function escaped(name: string): string {
  return name.replaceAll('"', '%22').replaceAll('\r', '%0D').replaceAll('\n', '%0A')
}
