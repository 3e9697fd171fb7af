import type { Json } from '../../contract/json.ts'
import { UnfitOutput } from '../provider.ts'
import { outputBytesMax } from './fetchOutput.ts'
import { type Piece, scanJsonStrings } from './scanJsonStrings.ts'

type Base64JsonOptions = {
  /** Names of fields with base64 bytes. */
  names: readonly string[]
  /** Names of long texts that are replaced by an empty text. */
  passOver?: readonly string[]
  /** The HTTP status of the answer; default 200. Without success there is no result, so the bytes of all fields are skipped. */
  status?: number
  /** Receives the bytes of each such field in turn and returns its replacement. Unread bytes are skipped. */
  take(bytes: AsyncGenerator<Buffer>): Promise<Json>
}

const restBytesMax = 1024 * 1024
/** The limit of one file in its base64 form. */
const base64BytesMax = Math.ceil(outputBytesMax / 3) * 4
/** The limit of the whole answer with all outputs. */
const answerBytesMax = 4 * outputBytesMax

/**
 * Reads an answer with base64 files as a stream, so that no whole file is in memory. Resolves with the JSON around the files, `undefined`
 * when it is not JSON. Rejects with {@link UnfitOutput} above the size limits, and with the error that broke the stream.
 */
export async function readBase64Json(
  body: AsyncIterable<Buffer>,
  { names, passOver = [], status = 200, take }: Base64JsonOptions,
): Promise<Json | undefined> {
  const pieces = scanJsonStrings(bounded(body), [...names, ...passOver])
  const isSuccess = status >= 200 && status <= 299
  const rest: Buffer[] = []
  let restBytes = 0
  try {
    for (let piece = await next(pieces); piece !== undefined; piece = await next(pieces)) {
      if (piece.kind === 'begin') rest.push(await taken(pieces, isSuccess && !passOver.includes(piece.name) ? take : leave))
      if (piece.kind !== 'rest') continue
      restBytes += piece.bytes.length
      if (restBytes > restBytesMax) throw tooLarge(restBytesMax)
      // Copied, since a slice would keep its whole chunk in memory.
      rest.push(Buffer.from(piece.bytes))
    }
  } finally {
    await pieces.return(undefined)
  }
  return parsed(Buffer.concat(rest).toString())
}

async function leave(): Promise<Json> {
  return ''
}

async function taken(pieces: AsyncGenerator<Piece>, take: Base64JsonOptions['take']): Promise<Buffer> {
  const text = textOf(pieces)
  const answer = await take(bytesOf(text.chunks()))
  await text.passOver()
  return Buffer.from(JSON.stringify(answer))
}

/** The chunks of one text. The rest of the answer can be read after a reader stops early. */
function textOf(pieces: AsyncGenerator<Piece>) {
  let isOver = false
  async function* chunks(): AsyncGenerator<Buffer> {
    while (!isOver) {
      const piece = await next(pieces)
      isOver = piece?.kind !== 'text'
      if (piece?.kind === 'text') yield piece.bytes
    }
  }
  return {
    chunks,
    /** Rejects with {@link UnfitOutput} above the size limit, which closes the connection. */
    async passOver() {
      let bytes = 0
      for await (const chunk of chunks()) {
        bytes += chunk.length
        if (bytes > base64BytesMax) throw tooLarge(base64BytesMax)
      }
    },
  }
}

/** Decodes base64 from chunks of any size, with or without a `data:…,` prefix and with JSON escapes. */
async function* bytesOf(text: AsyncGenerator<Buffer>): AsyncGenerator<Buffer> {
  let left = ''
  let isBegun = false
  for await (const chunk of text) {
    left += chunk.toString('latin1')
    if (!isBegun && isPrefix(left)) continue
    if (!isBegun) left = left.replace(/^data:[^,]*,/, '')
    isBegun = true
    const cut = left.endsWith('\\') ? left.length - 1 : left.length
    const plain = left
      .slice(0, cut)
      .replaceAll('\\/', '/')
      .replaceAll(/\\[nrt]/g, '')
    const whole = plain.length - (plain.length % 4)
    left = plain.slice(whole) + left.slice(cut)
    if (whole > 0) yield Buffer.from(plain.slice(0, whole), 'base64')
  }
  if (left !== '') yield Buffer.from(left, 'base64')
}

const prefixCharactersMax = 200

/** Whether the text may still be an incomplete `data:` prefix. */
function isPrefix(text: string): boolean {
  return text.length < prefixCharactersMax && !text.includes(',') && (text.startsWith('data:') || 'data:'.startsWith(text))
}

async function next(pieces: AsyncGenerator<Piece>): Promise<Piece | undefined> {
  const { value, done } = await pieces.next()
  return done ? undefined : value
}

async function* bounded(body: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let bytes = 0
  for await (const chunk of body) {
    bytes += chunk.length
    if (bytes > answerBytesMax) throw tooLarge(answerBytesMax)
    yield chunk
  }
}

function tooLarge(bytesMax: number): UnfitOutput {
  return new UnfitOutput({ code: 'provider_error', reason: 'provider_failed' }, new Error(`the answer is larger than ${bytesMax} bytes`))
}

function parsed(text: string): Json | undefined {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
