type Change = { made: (body: Buffer) => Buffer | undefined; words: string }

/** How bodies are commonly changed before the check. */
const changes: readonly Change[] = [
  {
    made: (body) => textual(body, (text) => text.replace(/[\r\n]+$/, '')),
    words: 'It fits without the final line break: an editor or echo has added one.',
  },
  { made: (body) => Buffer.concat([body, Buffer.from('\n')]), words: 'It fits with a final line break: something has removed it.' },
  {
    made: (body) => textual(body, (text) => text.replaceAll('\r\n', '\n')),
    words: 'It fits with LF line breaks: something has converted them to CR LF.',
  },
  { made: (body) => textual(body, (text) => text.replace(/^\ufeff/, '')), words: 'It fits without the byte order mark.' },
  {
    made: (body) => textual(body, (text) => JSON.stringify(JSON.parse(text))),
    words: 'It fits as compact JSON: it was parsed and serialised again. Check the raw bytes.',
  },
]

/** Finds the reason of a mismatch by trying common changes. */
export async function explainMismatch(body: Buffer, fits: (bytes: Uint8Array) => Promise<boolean>): Promise<string> {
  for (const { made, words } of changes) {
    const changed = made(body)
    if (changed !== undefined && !changed.equals(body) && (await fits(changed))) return words
  }
  return 'Either the secret is wrong, or the body was changed.'
}

function textual(body: Buffer, change: (text: string) => string): Buffer | undefined {
  try {
    return Buffer.from(change(body.toString('utf8')))
  } catch {
    return undefined
  }
}
