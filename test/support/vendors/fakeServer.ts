import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export type Exchange = { request: IncomingMessage; response: ServerResponse; path: string }

/** `open`: number of requests that are neither answered nor aborted. */
export type FakeServer = { url: string; open(): number; close(): Promise<void> }

/** The server of a fake, on loopback or another address of this machine. A throw of its handler closes the connection. */
export async function startFakeServer(answer: (exchange: Exchange) => Promise<void>, host = '127.0.0.1'): Promise<FakeServer> {
  let open = 0
  const server = createServer((request, response) => {
    open += 1
    response.once('close', () => {
      open -= 1
    })
    const { pathname } = new URL(request.url ?? '/', 'http://fake')
    void answer({ request, response, path: pathname }).catch(() => request.socket.destroy())
  })
  server.listen(0, host)
  await once(server, 'listening')
  return {
    url: `http://${host}:${(server.address() as AddressInfo).port}`,
    open: () => open,
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

/** Reads the whole request first, because a client that is cut off while sending does not read the answer. */
export function json({ request, response }: Exchange, status: number, body: unknown, headers: Record<string, string> = {}): void {
  const say = () => response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body))
  if (request.complete) say()
  else request.once('end', say).resume()
}

export async function bytesOf({ request }: Exchange): Promise<Buffer> {
  return Buffer.concat(await request.toArray())
}
