import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'

export type FileServer = { url: string; port: number; requests: IncomingMessage[] }

type Answering = { body: Buffer; headers?: Record<string, string> } | ((request: IncomingMessage, response: ServerResponse) => void)

/** A server on loopback that serves one file, or answers as configured, until the end of the test. */
export async function aFileServer(answering: Answering): Promise<FileServer> {
  const requests: IncomingMessage[] = []
  const server = createServer((request, response) => {
    requests.push(request)
    response.on('error', () => undefined)
    if (typeof answering === 'function') answering(request, response)
    else response.writeHead(200, answering.headers).end(answering.body)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(async () => {
    server.closeAllConnections()
    server.close()
    await once(server, 'close')
  })
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}/a/file`, port, requests }
}
