type Change = { made: (body: Buffer) => Buffer | undefined; words: string }

/** How bodies are changed between the wire and whoever checks them. */
const changes: readonly Change[] = [
  {
    made: (body) => textual(body, (text) => text.replace(/[\r\n]+$/, '')),
    words: 'Without the line end after it, it would: an editor or echo has added one.',
  },
  { made: (body) => Buffer.concat([body, Buffer.from('\n')]), words: 'With a line end after it, it would: something has taken it away.' },
  {
    made: (body) => textual(body, (text) => text.replaceAll('\r\n', '\n')),
    words: 'With plain line ends it would: something has written them as CR LF.',
  },
  { made: (body) => textual(body, (text) => text.replace(/^\ufeff/, '')), words: 'Without the byte order mark before it, it would.' },
  {
    made: (body) => textual(body, (text) => JSON.stringify(JSON.parse(text))),
    words: 'Written compactly it would: it was parsed and written anew. Check the raw bytes.',
  },
]

/** Why a body does not fit its signature, as far as trying finds out. */
export async function explainMismatch(body: Buffer, fits: (bytes: Uint8Array) => Promise<boolean>): Promise<string> {
  for (const { made, words } of changes) {
    const changed = made(body)
    if (changed !== undefined && !changed.equals(body) && (await fits(changed))) return words
  }
  return 'Either the secret is another one, or the body is not what was sent.'
}

function textual(body: Buffer, change: (text: string) => string): Buffer | undefined {
  try {
    return Buffer.from(change(body.toString('utf8')))
  } catch {
    return undefined
  }
}
