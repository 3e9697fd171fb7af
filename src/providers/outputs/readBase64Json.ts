import type { Json } from '../../contract/json.ts'
import { UnfitOutput } from '../provider.ts'
import { outputBytesMax } from './fetchOutput.ts'
import { type Piece, scanJsonStrings } from './scanJsonStrings.ts'

type Base64JsonOptions = {
  /** The names whose texts hold bytes. */
  names: readonly string[]
  /** The names of long texts that nobody wants: an empty one stands in their place. */
  passOver?: readonly string[]
  /** Takes the bytes of each such text in turn; what it leaves unread is passed over. What it answers stands in the place of the text. */
  take(bytes: AsyncGenerator<Buffer>): Promise<Json>
}

const restBytesMax = 1024 * 1024
/** Of one file, as it stands in the answer. */
const base64BytesMax = Math.ceil(outputBytesMax / 3) * 4
/** Of the whole answer, with all its outputs: nobody asks for so much. */
const answerBytesMax = 4 * outputBytesMax

/**
 * Reads an answer that holds files as base64 while it comes, so that no file is ever in memory as a whole. Gives the JSON around them,
 * `undefined` where it is none. Rejects with {@link UnfitOutput} when there is more of it than any result has, and with what cut it off.
 */
export async function readBase64Json(
  body: AsyncIterable<Buffer>,
  { names, passOver = [], take }: Base64JsonOptions,
): Promise<Json | undefined> {
  const pieces = scanJsonStrings(bounded(body), [...names, ...passOver])
  const rest: Buffer[] = []
  let restBytes = 0
  try {
    for (let piece = await next(pieces); piece !== undefined; piece = await next(pieces)) {
      if (piece.kind === 'begin') rest.push(await taken(pieces, passOver.includes(piece.name) ? leave : take))
      if (piece.kind !== 'rest') continue
      restBytes += piece.bytes.length
      if (restBytes > restBytesMax) throw tooLarge(restBytesMax)
      // Copied: a few bytes must not keep all that came with them in memory.
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

/** The chunks of one text. Who stops reading them leaves the rest of the answer to be read. */
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
    /** Rejects with {@link UnfitOutput} beyond what any result has, so that a vendor that sends on is closed. */
    async passOver() {
      let bytes = 0
      for await (const chunk of chunks()) {
        bytes += chunk.length
        if (bytes > base64BytesMax) throw tooLarge(base64BytesMax)
      }
    },
  }
}

/** Base64 as it comes, in any cut; with or without `data:…,` before it, and with what JSON may escape in it. */
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

/** Whether it may still be what stands before the bytes of a `data:` text, and nothing of them. */
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
