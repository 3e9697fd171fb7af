import type { PublicGeneration } from '../../../src/contract/shapes/generation.ts'

export type FollowedEvent = { id: number; event: string; data: PublicGeneration }

export type OpenEventStream = {
  response: Response
  /** The next event; undefined at the end of the stream. Comments are skipped. */
  next(): Promise<FollowedEvent | undefined>
  /** All events up to the end of the stream. */
  rest(): Promise<FollowedEvent[]>
  /** Closes the connection, as a client does. */
  leave(): void
}

/** Opens a stream of server-sent events. Reads from it only when the test calls `next` or `rest`. */
export async function openEventStream(
  url: string,
  { key, headers = {} }: { key: string; headers?: Record<string, string> },
): Promise<OpenEventStream> {
  const abortController = new AbortController()
  const response = await fetch(url, { headers: { authorization: `Bearer ${key}`, ...headers }, signal: abortController.signal })
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
  let text = ''
  const next = async (): Promise<FollowedEvent | undefined> => {
    for (;;) {
      const end = text.indexOf('\n\n')
      if (end >= 0) {
        const event = parseEvent(text.slice(0, end))
        text = text.slice(end + 2)
        if (event) return event
        continue
      }
      const read = await reader?.read()
      if (!read || read.done) return undefined
      text += read.value
    }
  }
  return {
    response,
    next,
    async rest() {
      const events: FollowedEvent[] = []
      for (let event = await next(); event; event = await next()) events.push(event)
      return events
    },
    leave: () => abortController.abort(),
  }
}

function parseEvent(block: string): FollowedEvent | undefined {
  if (block.startsWith(':')) return undefined
  const fields = Object.fromEntries(
    block.split('\n').map((line) => [line.slice(0, line.indexOf(': ')), line.slice(line.indexOf(': ') + 2)]),
  )
  return { id: Number(fields['id']), event: String(fields['event']), data: JSON.parse(String(fields['data'])) }
}
