import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { createServer as createTlsServer, type TlsOptions } from 'node:tls'
import { onTestFinished } from 'vitest'

/** A server on loopback that counts connections, records requests, and sends the bytes that the test sets. */
export type RawServer = {
  port: number
  url: string
  connections: number
  requests: string[]
  closedConnections: Promise<void>[]
  /** Sent on connection, before any request; null closes the connection instead. */
  greeting: string | null
  /** Resets every open connection. */
  cut(): void
}

type Answer = (request: { text: string; path: string; socket: Socket }) => string | Buffer | undefined

/**
 * Listens until the test has ended. `answer` is called once a request is complete; the bytes that it returns are sent.
 * With `everywhere` it listens on every address of the machine, in both families.
 */
export async function startRawServer(
  answer: Answer,
  { everywhere = false, tls }: { everywhere?: boolean; tls?: TlsOptions } = {},
): Promise<RawServer> {
  const sockets = new Set<Socket>()
  const server = tls ? createTlsServer(tls) : createServer()
  const cut = () => {
    for (const socket of sockets) socket.resetAndDestroy()
  }
  const raw: RawServer = { port: 0, url: '', connections: 0, requests: [], closedConnections: [], greeting: '', cut }
  server.on('connection', (socket: Socket) => {
    raw.connections += 1
    sockets.add(socket)
    raw.closedConnections.push(new Promise((resolve) => socket.once('close', () => resolve())))
    socket.on('error', () => {})
    if (raw.greeting === null) socket.destroy()
    else if (raw.greeting !== '') socket.end(raw.greeting)
  })
  server.on(tls ? 'secureConnection' : 'connection', (socket: Socket) => {
    let text = ''
    socket.on('error', () => {})
    socket.on('data', (chunk: Buffer) => {
      text += chunk.toString('latin1')
      if (!isComplete(text)) return
      const request = text
      text = ''
      raw.requests.push(request)
      const reply = answer({ text: request, path: request.split(' ')[1] ?? '', socket })
      if (reply !== undefined) socket.write(reply)
    })
  })
  if (everywhere) server.listen(0)
  else server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(async () => {
    for (const socket of sockets) socket.destroy()
    server.close()
    await once(server, 'close')
  })
  raw.port = (server.address() as AddressInfo).port
  raw.url = `${tls ? 'https' : 'http'}://127.0.0.1:${raw.port}`
  return raw
}

/** An HTTP/1.1 answer with an announced length. */
export function answerWith(status: number, headers: Record<string, string> = {}, body = ''): string {
  const lines = Object.entries({ 'content-length': String(Buffer.byteLength(body)), ...headers }).map(
    ([name, value]) => `${name}: ${value}`,
  )
  return [`HTTP/1.1 ${status} Some words`, ...lines, '', body].join('\r\n')
}

function isComplete(text: string): boolean {
  const end = text.indexOf('\r\n\r\n')
  if (end === -1) return false
  const length = /\r\ncontent-length: (\d+)/i.exec(text)?.[1] ?? '0'
  return text.length >= end + 4 + Number(length)
}
