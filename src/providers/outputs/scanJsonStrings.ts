/** A piece of streamed JSON: `text` is inside a wanted string, without its quotes; `rest` is around the wanted strings. */
export type Piece = { kind: 'rest' | 'text'; bytes: Buffer } | { kind: 'begin'; name: string } | { kind: 'end' }

/** The state of the scanner. `name`: the last string. `isNamed`: only a colon came after it. */
type Place = { inside: 'rest' | 'string' | 'text'; isEscaped: boolean; name: string; isNamed: boolean }

const quote = 0x22
const backslash = 0x5c
const colon = 0x3a
const nameCharactersMax = 64

/** Finds the strings of fields with one of the names, at any depth, without buffering them. Escapes stay unchanged. */
export async function* scanJsonStrings(body: AsyncIterable<Buffer>, names: readonly string[]): AsyncGenerator<Piece> {
  const place: Place = { inside: 'rest', isEscaped: false, name: '', isNamed: false }
  for await (const chunk of body) yield* cut(chunk, place, names)
}

function* cut(chunk: Buffer, place: Place, names: readonly string[]): Generator<Piece> {
  let from = 0
  while (from < chunk.length) {
    const isText = place.inside === 'text'
    const end = isText ? endOfText(chunk, from, place) : startOfText(chunk, from, { place, names })
    if (end > from) yield { kind: isText ? 'text' : 'rest', bytes: chunk.subarray(from, end) }
    if (end === chunk.length) return
    place.inside = isText ? 'rest' : 'text'
    place.isNamed = false
    yield isText ? { kind: 'end' } : { kind: 'begin', name: place.name }
    from = end + 1
  }
}

/** The position of the closing quote, or the end of the chunk. */
function endOfText(chunk: Buffer, from: number, place: Place): number {
  let at = chunk.indexOf(quote, from)
  while (at !== -1 && isEscaped(chunk, { from, at }, place)) at = chunk.indexOf(quote, at + 1)
  if (at === -1) place.isEscaped = isEscaped(chunk, { from, at: chunk.length }, place)
  else place.isEscaped = false
  return at === -1 ? chunk.length : at
}

/** Whether an odd number of backslashes precedes the position, counting one at the end of the last chunk. */
function isEscaped(chunk: Buffer, { from, at }: { from: number; at: number }, place: Place): boolean {
  let first = at
  while (first > from && chunk[first - 1] === backslash) first -= 1
  return ((at - first) % 2 === 1) !== (first === from && place.isEscaped)
}

/** The position of the opening quote of a wanted string, or the end of the chunk. */
function startOfText(chunk: Buffer, from: number, { place, names }: { place: Place; names: readonly string[] }): number {
  for (let at = from; at < chunk.length; at += 1) {
    const byte = chunk[at] ?? 0
    if (place.inside === 'string') passCharacter(byte, place)
    else if (byte === quote) {
      if (place.isNamed && names.includes(place.name)) return at
      Object.assign(place, { inside: 'string', isEscaped: false, name: '', isNamed: false })
    } else if (byte > 0x20) place.isNamed = byte === colon
  }
  return chunk.length
}

function passCharacter(byte: number, place: Place): void {
  if (byte === quote && !place.isEscaped) place.inside = 'rest'
  else {
    place.isEscaped = byte === backslash && !place.isEscaped
    if (place.name.length < nameCharactersMax) place.name += String.fromCharCode(byte)
  }
}
