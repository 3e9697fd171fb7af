/** An event of a stream, as the service sent it. */
export type ServerEvent = {
  type: string
  data: string
  /** The last one that was given, by this event or one before it. */
  lastEventId: string
  /** For how long to stay away after the stream breaks, where the service has said so. */
  retrySeconds: number | undefined
}

/** Characters of an event; many times the longest that the service sends. */
const eventMax = 8 * 1024 * 1024

/**
 * Reads `text/event-stream` by the rules of the HTML standard, however its bytes are cut. An event that the stream breaks off is none, and
 * comments are passed over. Throws a RangeError for one that has no end.
 */
export async function* readEventStream(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<ServerEvent, void, undefined> {
  // Left to the decoder, some run times take away a second byte order mark as well.
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
  const reader = eventReader()
  let line: string[] = []
  let lineCharacters = 0
  let isBeginning = true
  let endedInReturn = false
  for await (const chunk of chunks) {
    let text = decoder.decode(chunk, { stream: true })
    if (text === '') continue
    if (isBeginning && text.startsWith('\uFEFF')) text = text.slice(1)
    isBeginning = false
    // A line that ended in a carriage return has ended, whether its line feed comes along or not.
    if (endedInReturn && text.startsWith('\n')) text = text.slice(1)
    endedInReturn = text === '' ? false : text.endsWith('\r')
    // What has come of a line before is not looked through again.
    for (const [index, piece] of text.split(/\r\n|\n|\r/).entries()) {
      if (index > 0) {
        const event = reader.take(line.join(''))
        line = []
        lineCharacters = 0
        if (event) yield event
      }
      line.push(piece)
      lineCharacters += piece.length
    }
    if (lineCharacters + reader.characters() > eventMax) throw new RangeError('an event is too large')
  }
}

/** Takes the lines of a stream, one by one; gives an event at the line that completes it. */
function eventReader(): { take(line: string): ServerEvent | undefined; characters(): number } {
  let type = ''
  let data: string[] = []
  let characters = 0
  let lastEventId = ''
  let retrySeconds: number | undefined
  const fields: Record<string, (value: string) => void> = {
    event: (value) => void (type = value),
    data: (value) => void data.push(value),
    id: (value) => void (lastEventId = value.includes('\0') ? lastEventId : value),
    retry: (value) => void (retrySeconds = /^\d+$/.test(value) ? Number(value) / 1000 : retrySeconds),
  }
  const take = (line: string) => {
    if (line !== '') {
      const [, name = '', value = ''] = /^([^:]*)(?:: ?)?(.*)$/s.exec(line) ?? []
      characters += line.length
      if (Object.hasOwn(fields, name)) fields[name]?.(value)
      return undefined
    }
    const event = { type: type || 'message', data: data.join('\n'), lastEventId, retrySeconds }
    const isEmpty = data.length === 0
    type = ''
    data = []
    characters = 0
    return isEmpty ? undefined : event
  }
  return { take, characters: () => characters }
}
