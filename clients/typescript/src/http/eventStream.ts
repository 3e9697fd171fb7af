/** An event of a stream. */
export type ServerEvent = {
  type: string
  data: string
  /** The last event id, of this event or an earlier one. */
  lastEventId: string
  /** The reconnection delay, if the service has sent one. */
  retrySeconds: number | undefined
}

/** The maximum length of an event in characters, far above that of the service. */
const eventMax = 8 * 1024 * 1024

/**
 * Parses `text/event-stream` as in the HTML standard, for any chunking. An incomplete last event is dropped, comments are skipped.
 * Throws a RangeError for an endless event.
 */
export async function* readEventStream(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<ServerEvent, void, undefined> {
  // Without this option some runtimes also remove a second byte order mark.
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
    // A carriage return ends a line, even before its line feed arrives.
    if (endedInReturn && text.startsWith('\n')) text = text.slice(1)
    endedInReturn = text === '' ? false : text.endsWith('\r')
    // The earlier part of a line is not scanned again.
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

/** Takes the lines of a stream. Returns an event at the line that completes it. */
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
