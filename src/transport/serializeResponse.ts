import { bodyScheduler } from './bodyScheduler.ts'
import { isJsonObject } from './readJson.ts'
import { joinPieces } from './releaseBuffer.ts'

/** Serializing this many characters takes less than a millisecond. */
const pieceCharacters = 65_536

/**
 * Serializes a response as JSON. Items of a list are serialized one by one, so that other requests run in between. Long responses are
 * returned as bytes: a queued string takes twice the memory, and `writableLength` counts its characters instead of its bytes.
 */
export async function serializeResponse(body: unknown): Promise<string | Buffer> {
  const pieces: Buffer<ArrayBuffer>[] = []
  let text = ''
  for (const part of partsOf(body)) {
    text += part
    if (text.length <= pieceCharacters) continue
    pieces.push(Buffer.from(text))
    text = ''
    await bodyScheduler.waitForSlice()
  }
  return pieces.length === 0 ? text : joinPieces([...pieces, Buffer.from(text)])
}

function* partsOf(body: unknown): Generator<string> {
  if (!isJsonObject(body) || !Array.isArray(body['items'])) return yield JSON.stringify(body)
  const members = Object.entries(body).filter(([, member]) => member !== undefined)
  for (const [index, [name, member]] of members.entries()) {
    yield `${index === 0 ? '{' : ','}${JSON.stringify(name)}:`
    if (name === 'items') yield* itemsOf(body['items'])
    else yield JSON.stringify(member)
  }
  yield '}'
}

function* itemsOf(items: unknown[]): Generator<string> {
  yield '['
  for (const [index, item] of items.entries()) yield `${index === 0 ? '' : ','}${JSON.stringify(item)}`
  yield ']'
}
