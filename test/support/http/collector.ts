import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'

/** The checked parts of a span. `text` is its raw encoding. */
export type SentSpan = { traceId: string; spanId: string; parentId: string; name: string; links: string[]; text: string }

export type Collector = { url: string; spans: SentSpan[]; metricNames: Set<string>; text(): string }

/** A collector for OTLP (http/protobuf) until the end of the test; with `hangs` it never answers. */
export async function aCollector({ hangs = false } = {}): Promise<Collector> {
  const spans: SentSpan[] = []
  const metricNames = new Set<string>()
  const bodies: Buffer[] = []
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const body = Buffer.concat(chunks)
      bodies.push(body)
      if (request.url === '/v1/traces') spans.push(...spansIn(body))
      if (request.url === '/v1/metrics') for (const metric of all(body, [1, 2, 2])) metricNames.add(String(fields(metric).get(1)?.[0]))
      if (!hangs) response.writeHead(200, { 'content-type': 'application/x-protobuf' }).end()
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}`, spans, metricNames, text: () => Buffer.concat(bodies).toString('latin1') }
}

function spansIn(body: Buffer): SentSpan[] {
  return all(body, [1, 2, 2]).map((span) => {
    const of = fields(span)
    const hex = (number: number) => of.get(number)?.[0]?.toString('hex') ?? ''
    const links = (of.get(13) ?? []).map((link) => fields(link).get(1)?.[0]?.toString('hex') ?? '')
    return { traceId: hex(1), spanId: hex(2), parentId: hex(4), name: String(of.get(5)?.[0]), links, text: span.toString('latin1') }
  })
}

/** Messages at a path of field numbers of opentelemetry-proto. */
function all(message: Buffer, [first, ...rest]: number[]): Buffer[] {
  if (first === undefined) return [message]
  return (fields(message).get(first) ?? []).flatMap((inner) => all(inner, rest))
}

/** The length-delimited fields of a protobuf message, by number. */
function fields(message: Buffer): Map<number, Buffer[]> {
  const found = new Map<number, Buffer[]>()
  let at = 0
  const varint = () => {
    let value = 0
    for (let shift = 0; ; shift += 7) {
      const byte = message[at++] ?? 0
      value += (byte & 127) * 2 ** shift
      if (byte < 128) return value
    }
  }
  while (at < message.length) {
    const tag = varint()
    const [number, wire] = [Math.floor(tag / 8), tag % 8]
    if (wire === 0) varint()
    else if (wire === 1) at += 8
    else if (wire === 5) at += 4
    else {
      const length = varint()
      found.set(number, [...(found.get(number) ?? []), message.subarray(at, at + length)])
      at += length
    }
  }
  return found
}
